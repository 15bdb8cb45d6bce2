import { createHmac, randomBytes } from "node:crypto";
import { bare, jsonOf, nowSeconds, uuidOf, type PlayedProvider } from "./played-provider";

interface ResendMail {
  to: [string];
  tags: [{ name: string; value: string }];
  attachments: { filename: string; content: string; content_id?: string }[];
  headers: Record<string, string>;
  html: string;
  text: string;
}

const svixKey = randomBytes(24);
export const resend: PlayedProvider = {
  endpoint: "resend",
  input: {
    kind: "resend",
    apiKey: "re_right",
    webhookSecret: `whsec_${svixKey.toString("base64")}`,
  },
  takes: ({ method, path }) => method === "POST" && path === "/emails",
  answer: (_, index) => ({ status: 200, json: { id: uuidOf(index) } }),
  mail: (call, index) => {
    const json = jsonOf(call) as ResendMail;
    return Promise.resolve({
      to: bare(json.to[0]),
      id: json.tags[0].value,
      providerId: uuidOf(index),
      attachments: json.attachments.map(({ filename, content, content_id: contentId = null }) => ({
        name: filename,
        content: Buffer.from(content, "base64"),
        contentId,
      })),
      headers: json.headers,
      html: json.html,
      text: json.text,
    });
  },
  event: (happening, { id, providerId }) => {
    const [type, more] = {
      delivered: ["email.delivered", {}],
      bounced: [
        "email.bounced",
        { bounce: { type: "Permanent", subType: "General", message: "550 5.1.1 No such user" } },
      ],
      soft: [
        "email.bounced",
        {
          bounce: { type: "Transient", subType: "MailboxFull", message: "552 5.2.2 Mailbox full" },
        },
      ],
      delayed: ["email.delivery_delayed", {}],
      complained: ["email.complained", {}],
      opened: ["email.opened", {}],
    }[happening] as [string, object];
    const data = { email_id: providerId, tags: { "lettermill-id": id }, ...more };
    return { type, created_at: new Date().toISOString(), data };
  },
  call: (event, _, wrong = false) => {
    const body = JSON.stringify(event);
    const [id, timestamp] = ["msg_2", nowSeconds()];
    const key = wrong ? randomBytes(24) : svixKey;
    const signature = createHmac("sha256", key)
      .update(`${id}.${timestamp}.${body}`)
      .digest("base64");
    return {
      body,
      headers: {
        "svix-id": id,
        "svix-timestamp": timestamp,
        "svix-signature": `v1,${randomBytes(32).toString("base64")} v1,${signature}`,
      },
    };
  },
  refusesKey: {
    status: 403,
    json: { statusCode: 403, name: "invalid_api_key", message: "API key is invalid" },
  },
  acceptsKey: { status: 200, json: { data: [] } },
  anotherKey: { apiKey: "another" },
};
