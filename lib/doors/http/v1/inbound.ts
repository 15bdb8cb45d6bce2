import { z } from "zod";
import { sendAnswer } from "@/lib/domain/emails/send-schema";
import { deleteInbound, getInbound, listInbound } from "@/lib/domain/inbound/read";
import { replyToInbound } from "@/lib/domain/inbound/reply";
import {
  inboundEmail,
  inboundQuery,
  inboundSummary,
  replyInput,
} from "@/lib/domain/inbound/schema";
import { attachmentsBodyLimit } from "@/lib/doors/http/surface/body";
import { idempotencyOf, replayable } from "@/lib/doors/http/surface/idempotent";
import { operation } from "@/lib/doors/http/surface/operation";
import { pageSchema } from "@/lib/ground/paging/schema";
import { emailExample } from "./examples";
import { idParam } from "./parameters";

const tag = "Inbound";
const summary = {
  id: "inb_01kat4rz8sfq3v6d1mpx3k6w9j",
  from: { email: "ada@example.com", name: "Ada Lovelace" },
  to: ["support@shop.example"],
  subject: "Re: Your order",
  preview: "Where is it?",
  emailId: emailExample.id,
  contact: { id: "con_01kat4rz8hfd2b7z1cm4x5n8qk", email: "ada@example.com" },
  automatic: false,
  authentic: true,
  forged: false,
  attachmentCount: 1,
  size: 48_213,
  createdAt: "2026-11-21T09:30:00.000Z",
};
const example = {
  ...summary,
  messageId: "CAF0x1815@mail.example.com",
  inReplyTo: `${emailExample.id}@shop.example`,
  references: [`${emailExample.id}@shop.example`],
  replyTo: [],
  envelopeFrom: "ada@example.com",
  checks: {
    spf: { result: "pass", domain: "example.com" },
    dkim: [{ result: "pass", domain: "example.com", selector: "s1", aligned: true }],
    dmarc: { result: "pass", domain: "example.com", policy: "quarantine" },
    arc: { result: "none" },
  },
  text: "Where is it?",
  html: "<p>Where is it?</p>",
  headers: [{ name: "Subject", value: "Re: Your order" }],
  attachments: [
    {
      filename: "receipt.pdf",
      contentType: "application/pdf",
      contentId: null,
      inline: false,
      size: 41_022,
      url: "https://mail.example.com/t/a/AYxE3m0Zf9uKq0T1dQx7WgAAaSKJwHk2m0c8Rr5qgW4",
      expiresAt: "2026-11-28T09:30:00.000Z",
    },
  ],
  raw: "Received: from mail.example.com ...",
  routes: ["support*@shop.example"],
  deliveries: [
    {
      id: "whd_01kat4rz8vf6b0x9mpd7q2w5ck",
      webhookId: "wh_01kat4rz8sfq3v6d1mpx3k6w9j",
      url: "https://example.com/hooks/support",
      status: "DELIVERED",
    },
  ],
  replies: [],
} satisfies z.input<typeof inboundEmail>;

/** A stranger's HTML in a frame of ours: it loads pictures and styles of its own, and nothing else. */
const documentHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "private, no-store",
};

const ofOne = {
  tag,
  rate: "api",
  params: z.object({ id: idParam("inbound", example.id) }),
} as const;

export const inboundOperations = [
  operation({
    method: "get",
    path: "/v1/inbound",
    name: "listInbound",
    summary: "List mail that came in",
    description:
      "Newest first. Mail is kept for 90 days unless the project's or the installation's settings say otherwise.",
    tag,
    access: "viewer",
    rate: "api",
    query: inboundQuery,
    answer: pageSchema(inboundSummary).meta({ id: "InboundPage" }),
    answerExample: { data: [summary] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listInbound(ctx, query) }),
  }),
  operation({
    ...ofOne,
    method: "get",
    path: "/v1/inbound/{id}",
    name: "getInbound",
    summary: "Get a message that came in",
    description:
      "With what it says, whether it comes from where it says, its files as links that work for seven days, the webhooks that heard of it, and the answers to it.",
    access: "viewer",
    answer: inboundEmail,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getInbound(ctx, id) }),
  }),
  operation({
    ...ofOne,
    method: "get",
    path: "/v1/inbound/{id}/document",
    name: "getInboundDocument",
    summary: "Show a message that came in with pictures from other servers",
    description: "For a frame: it runs nothing, posts nothing and has an origin of its own.",
    access: "viewer",
    sessionOnly: true,
    answerType: "text/html",
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      stream: new Blob([(await getInbound(ctx, id)).html ?? ""]).stream(),
      headers: documentHeaders,
    }),
  }),
  operation({
    ...ofOne,
    method: "post",
    path: "/v1/inbound/{id}/reply",
    name: "replyToInbound",
    summary: "Answer a message that came in",
    description:
      "Goes to its Reply-To, else to who wrote it, from the address it was sent to, in the same conversation. 409 for a bounce and for what a machine wrote: answers to those go in circles. Opens and clicks are not tracked.",
    access: "editor",
    rate: "send",
    idempotent: true,
    body: replyInput,
    bodyLimit: attachmentsBodyLimit,
    bodyExamples: { short: { summary: "A short answer", value: { text: "It is on its way." } } },
    answer: sendAnswer,
    answerExample: {
      success: true,
      data: {
        emails: [{ contact: emailExample.contact, email: emailExample.id }],
        timestamp: "2026-11-21T09:30:00.000Z",
      },
    },
    successStatuses: [200],
    errors: ["DOMAIN_NOT_VERIFIED", "NOT_FOUND", "PAYMENT_REQUIRED", "CONFLICT"],
    run: async (ctx, input) => {
      const { id } = input.params;
      const options = idempotencyOf(`POST /v1/inbound/${id}/reply`, input);
      return replayable(await replyToInbound(ctx, id, input.body, options));
    },
  }),
  operation({
    ...ofOne,
    method: "delete",
    path: "/v1/inbound/{id}",
    name: "deleteInbound",
    summary: "Delete a message that came in",
    description: "For good, with its files: links to them end at once.",
    access: "editor",
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteInbound(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
