import type { MimeInput } from "@/lib/mail/message/mime-input";

/** A short mail with text and HTML. */
export const shortMail: MimeInput = {
  messageId: "em_1@example.com",
  date: new Date("2026-11-21T10:20:30Z"),
  from: { email: "shop@example.com", name: "Shop" },
  to: { email: "ada@example.org", name: "Ada" },
  replyTo: null,
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: {},
  attachments: [],
};
