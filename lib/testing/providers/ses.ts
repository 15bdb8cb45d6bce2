import PostalMime from "postal-mime";
import { expectedSignature, sha256Hex } from "@/lib/testing/aws-signature";
import type { ProviderCall } from "@/lib/testing/provider-server";
import { jsonOf, uuidOf, type PlayedProvider } from "./played-provider";
import { region, snsMessage, startSns, topicArn } from "./sns";

export const keeper = {
  service: "ses",
  region,
  accessKey: "AKIAIOSFODNN7EXAMPLE",
  secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
} as const;
const messageIdOf = (index: number) => `0107${uuidOf(index)}-000000`;

/** Whether the keeper of the key signed this request, in this region, with this body. */
export function isSigned(call: ProviderCall, where: string = region): boolean {
  const signature = expectedSignature({ ...call, url: call.path }, { ...keeper, region: where });
  return (
    signature !== null &&
    call.headers.authorization?.endsWith(`Signature=${signature}`) === true &&
    call.headers["x-amz-content-sha256"] === sha256Hex(call.body)
  );
}

interface SentEmail {
  Content: { Raw: { Data: string } };
  Destination: { ToAddresses: [string] };
  EmailTags: [{ Name: string; Value: string }];
  ConfigurationSetName: string;
}

export const ses: PlayedProvider = {
  endpoint: `ses:${region}`,
  input: {
    kind: "ses",
    region,
    accessKeyId: keeper.accessKey,
    secretAccessKey: keeper.secretKey,
    configurationSet: "lettermill",
    topicArn,
  },
  takes: ({ method, path }) => method === "POST" && path === "/v2/email/outbound-emails",
  answer: (call, index) =>
    isSigned(call) ? { status: 200, json: { MessageId: messageIdOf(index) } } : ses.refusesKey,
  mail: async (call, index) => {
    const { Content, Destination, EmailTags } = jsonOf(call) as SentEmail;
    const raw = Buffer.from(Content.Raw.Data, "base64");
    const parsed = await PostalMime.parse(raw, { attachmentEncoding: "arraybuffer" });
    return {
      to: Destination.ToAddresses[0],
      id: EmailTags[0].Value,
      providerId: messageIdOf(index),
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
  event: (happening, { id, providerId, to }) => {
    const tags = { "ses:configuration-set": ["lettermill"], "lettermill-id": [id] };
    const mail = { messageId: providerId, destination: [to], tags };
    const bounced = (bounceType: string, bounceSubType: string, status: string, said: string) => ({
      eventType: "Bounce",
      mail,
      bounce: {
        bounceType,
        bounceSubType,
        bouncedRecipients: [{ emailAddress: to, status, diagnosticCode: `smtp; ${said}` }],
      },
    });
    const delayed = { emailAddress: to, status: "4.4.1", diagnosticCode: "smtp; 421 4.4.1 Later" };
    return {
      delivered: { eventType: "Delivery", mail, delivery: { smtpResponse: "250 2.0.0 OK" } },
      bounced: bounced("Permanent", "General", "5.1.1", "550 5.1.1 No such user"),
      soft: bounced("Transient", "MailboxFull", "5.2.2", "552 5.2.2 Mailbox full"),
      delayed: {
        eventType: "DeliveryDelay",
        mail,
        deliveryDelay: { delayType: "TransientCommunicationFailure", delayedRecipients: [delayed] },
      },
      complained: { eventType: "Complaint", mail, complaint: { complaintFeedbackType: "abuse" } },
      opened: { eventType: "Open", mail, open: {} },
    }[happening];
  },
  call: (event, _, wrong = false) => ({
    body: JSON.stringify(snsMessage("Notification", { Message: JSON.stringify(event) }, { wrong })),
    headers: { "content-type": "text/plain; charset=UTF-8" },
  }),
  refusesKey: {
    status: 403,
    headers: { "x-amzn-errortype": "InvalidSignatureException:http://internal.amazon.com/" },
    json: {
      message: "The request signature we calculated does not match the signature you provided.",
    },
  },
  acceptsKey: { status: 200, json: { SendingEnabled: true, ProductionAccessEnabled: true } },
  anotherKey: { secretAccessKey: keeper.secretKey },
  startProof: startSns,
};
