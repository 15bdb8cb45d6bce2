/** Examples that several operations of the document share. */
export const emailSummaryExample = {
  id: "em_01kat4rz8sfq3v6d1mpx3k6w9j",
  subject: "Hello Ada",
  status: "DELIVERED",
  sentAt: "2026-11-21T09:30:00.412Z",
  contact: { id: "con_01kat4rz8hfd2b7z1cm4x5n8qk", email: "ada@example.com" },
  source: "TRANSACTIONAL",
  opens: 0,
  clicks: 0,
  createdAt: "2026-11-21T09:30:00.000Z",
};

export const emailExample = {
  ...emailSummaryExample,
  from: "hello@example.com",
  fromName: "Example",
  deliveredAt: "2026-11-21T09:30:01.120Z",
  openedAt: null,
  clickedAt: null,
  bouncedAt: null,
  complainedAt: null,
  scheduledAt: null,
  template: null,
  messageId: "em_01kat4rz8sfq3v6d1mpx3k6w9j@example.com",
  campaignId: null,
  metadata: { order: "4711" },
  events: [
    { name: "queued", data: {}, createdAt: "2026-11-21T09:30:00.000Z" },
    { name: "sent", data: { response: "250 2.0.0 Ok" }, createdAt: "2026-11-21T09:30:00.412Z" },
    { name: "delivered", data: {}, createdAt: "2026-11-21T09:30:01.120Z" },
  ],
};

export const sendExamples = {
  simple: {
    summary: "A message",
    value: {
      to: "ada@example.com",
      from: "hello@example.com",
      subject: "Welcome",
      body: "<p>Good to have you here.</p>",
    },
  },
  variables: {
    summary: "With variables",
    value: {
      to: { email: "ada@example.com", name: "Ada Lovelace" },
      from: { email: "hello@example.com", name: "Example" },
      subject: "Order {{ order }}",
      body: "<p>Hello {{ firstName | default: 'there' }}, order {{ order }} is on its way.</p>",
      data: { order: "4711" },
      metadata: { order: "4711" },
    },
  },
  template: {
    summary: "A template, tomorrow",
    value: {
      to: ["ada@example.com", "grace@example.com"],
      from: "hello@example.com",
      template: "tpl_01kat4rz8sfq3v6d1mpx3k6w9j",
      data: { plan: "pro" },
      scheduledAt: "2026-11-22T08:00:00Z",
    },
  },
};
