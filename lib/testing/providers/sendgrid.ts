import { generateKeyPairSync, sign } from "node:crypto";
import { jsonOf, nowSeconds, type PlayedProvider } from "./played-provider";

interface SendgridMail {
  personalizations: [{ to: [{ email: string }]; custom_args: Record<string, string> }];
  content: { type: string; value: string }[];
  attachments?: { filename: string; content: string; content_id?: string }[];
  headers: Record<string, string>;
}

const keys = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const sendgridKeys = keys();
export const sendgrid: PlayedProvider = {
  endpoint: "sendgrid",
  input: {
    kind: "sendgrid",
    apiKey: "SG.right",
    webhookSecret: sendgridKeys.publicKey
      .export({ format: "der", type: "spki" })
      .toString("base64"),
  },
  takes: ({ method, path }) => method === "POST" && path === "/v3/mail/send",
  answer: (_, index) => ({ status: 202, headers: { "x-message-id": `sg${index}` } }),
  mail: (call, index) => {
    const json = jsonOf(call) as SendgridMail;
    const [personalization] = json.personalizations;
    const partOf = (type: string) => json.content.find((part) => part.type === type)?.value ?? "";
    return Promise.resolve({
      to: personalization.to[0].email,
      id: personalization.custom_args["lettermill-id"] ?? "",
      providerId: `sg${index}`,
      attachments: (json.attachments ?? []).map(
        ({ filename, content, content_id: contentId = null }) => ({
          name: filename,
          content: Buffer.from(content, "base64"),
          contentId,
        }),
      ),
      headers: json.headers,
      html: partOf("text/html"),
      text: partOf("text/plain"),
    });
  },
  event: (happening, { id, providerId, to }) => {
    const named = {
      email: to,
      "lettermill-id": id,
      sg_message_id: `${providerId}.filter0001.16648.5515E0B88.0`,
    };
    return [
      {
        delivered: { event: "delivered", response: "250 OK", ...named },
        bounced: {
          ...{ event: "bounce", type: "bounce", status: "5.1.1", ...named },
          ...{ reason: "550 5.1.1 No such user", bounce_classification: "Invalid Address" },
        },
        soft: {
          ...{ event: "bounce", type: "blocked", status: "5.2.2", ...named },
          reason: "552 5.2.2 Mailbox full",
        },
        delayed: { event: "deferred", response: "451 4.7.1 Try again later", ...named },
        complained: { event: "spamreport", ...named },
        opened: { event: "open", ...named },
      }[happening],
    ];
  },
  call: (event, _, wrong = false) => {
    const [body, timestamp] = [JSON.stringify(event), nowSeconds()];
    const { privateKey } = wrong ? keys() : sendgridKeys;
    return {
      body,
      headers: {
        "x-twilio-email-event-webhook-timestamp": timestamp,
        "x-twilio-email-event-webhook-signature": sign(
          "sha256",
          Buffer.from(timestamp + body),
          privateKey,
        ).toString("base64"),
      },
    };
  },
  refusesKey: {
    status: 401,
    json: { errors: [{ message: "The provided authorization grant is invalid", field: null }] },
  },
  acceptsKey: { status: 200, json: { scopes: ["mail.send"] } },
  anotherKey: { apiKey: "another" },
};
