import { createHmac, randomBytes } from "node:crypto";
import PostalMime from "postal-mime";
import { nowSeconds, type PlayedProvider } from "./played-provider";

const mailgunKey = "key-webhooks";
export const mailgun: PlayedProvider = {
  endpoint: "mailgun-eu",
  input: {
    kind: "mailgun",
    apiKey: "key-right",
    region: "eu",
    sendingDomain: "mg.example.com",
    webhookSecret: mailgunKey,
  },
  takes: ({ method, path }) => method === "POST" && path === "/v3/mg.example.com/messages.mime",
  answer: (_, index) => ({
    status: 200,
    json: { id: `<${index}@mg.example.com>`, message: "Queued. Thank you." },
  }),
  mail: async ({ headers, body }, index) => {
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": headers["content-type"] ?? "" },
    }).formData();
    const raw = await (form.get("message") as File).arrayBuffer();
    const parsed = await PostalMime.parse(raw, { attachmentEncoding: "arraybuffer" });
    return {
      to: form.get("to") as string,
      id: form.get("v:lettermill-id") as string,
      providerId: `${index}@mg.example.com`,
      attachments: parsed.attachments.map(({ filename, content, contentId }) => ({
        name: filename ?? "",
        content: Buffer.from(content as ArrayBuffer),
        contentId: contentId?.replace(/^<|>$/g, "") ?? null,
      })),
      headers: Object.fromEntries(
        parsed.headers.map(({ originalKey, value }) => [originalKey, value]),
      ),
      html: parsed.html ?? "",
      text: parsed.text ?? "",
    };
  },
  event: (happening, { id, providerId }) => {
    const named = {
      "user-variables": { "lettermill-id": id },
      message: { headers: { "message-id": providerId } },
    };
    const failed = (severity: string, code: number, enhanced: string, message: string) => ({
      event: "failed",
      severity,
      reason: "bounce",
      "delivery-status": { code, "enhanced-code": enhanced, message },
      ...named,
    });
    return {
      delivered: { event: "delivered", ...named },
      bounced: failed("permanent", 550, "5.1.1", "No such user"),
      soft: failed("permanent", 552, "5.2.2", "Mailbox full"),
      delayed: failed("temporary", 451, "4.7.1", "Try again later"),
      complained: { event: "complained", ...named },
      opened: { event: "opened", ...named },
    }[happening];
  },
  call: (event, _, wrong = false) => {
    const [timestamp, token] = [nowSeconds(), randomBytes(25).toString("hex")];
    const signature = createHmac("sha256", wrong ? "another" : mailgunKey)
      .update(timestamp + token)
      .digest("hex");
    return {
      body: JSON.stringify({ signature: { timestamp, token, signature }, "event-data": event }),
      headers: {},
    };
  },
  refusesKey: { status: 401, json: { message: "Invalid private key" } },
  acceptsKey: { status: 400, json: { message: "to parameter is missing" } },
  anotherKey: { apiKey: "another" },
};
