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
  type RefusalCause,
} from "./provider";
import { idName, mailbox, named, type ProviderMail } from "./provider-mail";

/** https://postmarkapp.com/developer/api/overview#error-codes */
const causes: Record<string, RefusalCause> = {
  10: "login",
  100: "less",
  400: "sender",
  401: "sender",
  405: "less",
  406: "recipient",
  412: "sender",
  413: "sender",
  1226: "sender",
  1235: "sender",
};
const recipientFault = /'to'|recipient|invalid 'to'/i;
const senderFault = /'from'|sender signature/i;

function said(answer: ProviderAnswer): string {
  return [textAt(answer, "ErrorCode"), textAt(answer, "Message")].filter(Boolean).join(": ");
}

function judge(answer: ProviderAnswer): Judgement {
  const errorCode = textAt(answer, "ErrorCode");
  if (isOk(answer) && (errorCode === "0" || errorCode === "")) {
    return accepted(answer, textAt(answer, "MessageID"));
  }
  const words = wordsOf(answer, said(answer));
  const cause =
    causes[errorCode] ?? causeOf({ ...answer, status: isOk(answer) ? 422 : answer.status });
  // Postmark sends nothing to an address that bounced or complained before.
  if (errorCode === "406") return refused("recipient", words, "5.2.1");
  if (cause) return refused(cause, words);
  if (answer.status === 403) return refused("login", words);
  if (answer.status === 413) return refused("message", words, "5.3.4");
  if (senderFault.test(words)) return refused("sender", words);
  return refused(recipientFault.test(words) ? "recipient" : "message", words);
}

/** https://postmarkapp.com/developer/api/email-api: does not take a whole message, but keeps our Message-ID. */
export function postmark(
  apiKey: string,
  { messageStream, campaignStream }: { messageStream: string; campaignStream: string },
): Provider {
  const common = { "x-postmark-server-token": apiKey, accept: "application/json" };
  return {
    kind: "postmark",
    endpoint: "postmark",
    repeatable: false,
    send: async (mail: ProviderMail) => {
      const { from, to, replyTo, subject, html, text, headers, attachments } = await mail.read();
      return {
        method: "POST",
        path: "/email",
        headers: { ...common, "content-type": "application/json" },
        body: JSON.stringify({
          From: mailbox(from),
          To: mailbox(to),
          ...(replyTo.length > 0 ? { ReplyTo: replyTo.map(mailbox).join(", ") } : {}),
          Subject: subject,
          ...(html === null ? {} : { HtmlBody: html }),
          ...(text === null ? {} : { TextBody: text }),
          Headers: [...headers, { name: "X-PM-KeepID", value: "true" }].map(({ name, value }) => ({
            Name: name,
            Value: value,
          })),
          Attachments: attachments.map(({ filename, contentType, contentId, content }) => ({
            Name: filename,
            ContentType: contentType,
            Content: content,
            ...(contentId === null ? {} : { ContentID: `cid:${contentId}` }),
          })),
          Metadata: named(idName, mail),
          MessageStream: mail.lane === "campaign" ? campaignStream : messageStream,
          TrackOpens: false,
          TrackLinks: "None",
        }),
      };
    },
    judge,
    test: () => ({ method: "GET", path: "/server", headers: common }),
    judgeTest: (answer) => {
      const name = textAt(answer, "Name");
      return { ok: isOk(answer), words: wordsOf(answer, name ? `Server ${name}` : said(answer)) };
    },
  };
}
