import { sha256 } from "@/lib/ground/secrets";
import {
  accepted,
  causeOf,
  isOk,
  refused,
  textAt,
  wordsOf,
  type Judgement,
  type Provider,
  type ProviderAnswer,
} from "./provider";
import { idName, mailbox, type ProviderMail } from "./provider-mail";

const senderFault = /not verified|invalid_from_address|`from`|testing emails|own email address/i;
const recipientFault = /`to`/i;

function said(answer: ProviderAnswer): string {
  return [textAt(answer, "name"), textAt(answer, "message")].filter(Boolean).join(": ");
}

function judge(answer: ProviderAnswer): Judgement {
  if (isOk(answer)) return accepted(answer, textAt(answer, "id"));
  const words = wordsOf(answer, said(answer));
  const cause = causeOf(answer);
  if (cause !== null) return refused(cause, words);
  if (senderFault.test(words)) return refused("sender", words);
  if (answer.status === 403) return refused("login", words);
  if (answer.status === 413) return refused("message", words, "5.3.4");
  return refused(recipientFault.test(words) ? "recipient" : "message", words);
}

/** https://resend.com/docs/api-reference: does not take a whole message. */
export function resend(apiKey: string): Provider {
  const authorization = { authorization: `Bearer ${apiKey}` };
  return {
    kind: "resend",
    endpoint: "resend",
    repeatable: true,
    send: async (mail: ProviderMail) => {
      const { from, to, replyTo, subject, html, text, headers, attachments } = await mail.read();
      const body = JSON.stringify({
        from: mailbox(from),
        to: [mailbox(to)],
        ...(replyTo.length > 0 ? { reply_to: replyTo.map(mailbox) } : {}),
        subject,
        ...(html === null ? {} : { html }),
        ...(text === null ? {} : { text }),
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        attachments: attachments.map(({ filename, contentType, contentId, content }) => ({
          filename,
          content,
          content_type: contentType,
          ...(contentId === null ? {} : { content_id: contentId }),
        })),
        ...(mail.id === "" ? {} : { tags: [{ name: idName, value: mail.id }] }),
      });
      // With its content: an email that was changed between two tries does not get the first one's answer.
      const key = `${mail.id}/${sha256(body).toString("hex")}`;
      const json = { "content-type": "application/json", "idempotency-key": key };
      return { method: "POST", path: "/emails", headers: { ...authorization, ...json }, body };
    },
    judge,
    test: () => ({ method: "GET", path: "/domains", headers: authorization }),
    judgeTest: (answer) => {
      const words = wordsOf(answer, said(answer));
      // A key that may only send must not list domains, but is a good one.
      return { ok: isOk(answer) || textAt(answer, "name") === "restricted_api_key", words };
    },
  };
}
