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
import { idName, named, type ProviderMail } from "./provider-mail";

const senderFault = /^from|sender identity/i;
const recipientFault = /^personalizations\.\d+\.to/i;

function said(answer: ProviderAnswer): string {
  const message = textAt(answer, "errors", 0, "message");
  const field = textAt(answer, "errors", 0, "field");
  return field ? `${field}: ${message}` : message;
}

function judge(answer: ProviderAnswer): Judgement {
  if (isOk(answer)) {
    const { "x-message-id": id } = answer.headers;
    return accepted(answer, typeof id === "string" ? id : "");
  }
  const fault = said(answer);
  const words = wordsOf(answer, fault);
  // Comes with the status of a wrong key.
  if (/credits exceeded/i.test(fault)) return refused("less", words);
  const cause = causeOf(answer);
  if (cause !== null) return refused(cause, words);
  if (senderFault.test(fault) || /sender identity/i.test(fault)) return refused("sender", words);
  if (answer.status === 403) return refused("login", words);
  if (answer.status === 413) return refused("message", words, "5.3.4");
  return refused(recipientFault.test(fault) ? "recipient" : "message", words);
}

const person = ({ email, name }: { email: string; name: string }) =>
  name === "" ? { email } : { email, name };

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send: does not take a whole message. */
export function sendgrid(apiKey: string): Provider {
  const authorization = `Bearer ${apiKey}`;
  return {
    kind: "sendgrid",
    endpoint: "sendgrid",
    repeatable: false,
    send: async (mail: ProviderMail) => {
      const { from, to, replyTo, subject, html, text, headers, attachments } = await mail.read();
      const content = [
        ...(text ? [{ type: "text/plain", value: text }] : []),
        ...(html ? [{ type: "text/html", value: html }] : []),
      ];
      const off = { enable: false };
      return {
        method: "POST",
        path: "/v3/mail/send",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({
          personalizations: [{ to: [person(to)], custom_args: named(idName, mail) }],
          from: person(from),
          ...(replyTo.length > 0 ? { reply_to_list: replyTo.map(person) } : {}),
          subject,
          // It wants at least one part.
          content: content.length > 0 ? content : [{ type: "text/plain", value: " " }],
          headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
          ...(attachments.length === 0
            ? {}
            : {
                attachments: attachments.map((attachment) => ({
                  filename: attachment.filename,
                  type: attachment.contentType,
                  content: attachment.content,
                  disposition: attachment.contentId === null ? "attachment" : "inline",
                  ...(attachment.contentId === null ? {} : { content_id: attachment.contentId }),
                })),
              }),
          tracking_settings: {
            click_tracking: off,
            open_tracking: off,
            subscription_tracking: off,
          },
        }),
      };
    },
    judge,
    test: () => ({ method: "GET", path: "/v3/scopes", headers: { authorization } }),
    judgeTest: (answer) => {
      if (!isOk(answer)) return { ok: false, words: wordsOf(answer, said(answer)) };
      const { scopes } = (answer.json ?? {}) as { scopes?: unknown };
      return Array.isArray(scopes) && scopes.includes("mail.send")
        ? { ok: true, words: "SendGrid takes mail with this key." }
        : { ok: false, words: "This key has no permission to send mail (mail.send)." };
    },
  };
}
