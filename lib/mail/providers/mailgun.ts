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

const senderFault = /domain|from (parameter|address)|'from'/i;
const recipientFault = /\bto parameter|'to'|recipient/i;

function judge(answer: ProviderAnswer): Judgement {
  if (isOk(answer)) return accepted(answer, textAt(answer, "id").replace(/^<|>$/g, ""));
  const words = wordsOf(answer, textAt(answer, "message"));
  const cause = causeOf(answer);
  if (cause !== null) return refused(cause, words);
  if (answer.status === 404) return refused("sender", words);
  if (answer.status === 403) return refused(senderFault.test(words) ? "sender" : "login", words);
  if (answer.status === 413) return refused("message", words, "5.3.4");
  if (recipientFault.test(words)) return refused("recipient", words);
  return refused(senderFault.test(words) ? "sender" : "message", words);
}

async function form(fields: Record<string, string | Blob>) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") data.append(name, value);
    else data.append(name, value, "message.eml");
  }
  const encoded = new Response(data);
  return {
    type: encoded.headers.get("content-type") ?? "",
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}

/** https://documentation.mailgun.com: takes the whole message, as we signed it. */
export function mailgun(
  apiKey: string,
  { region, sendingDomain }: { region: "us" | "eu"; sendingDomain: string },
): Provider {
  const path = `/v3/${encodeURIComponent(sendingDomain)}/messages.mime`;
  const authorization = `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`;
  return {
    kind: "mailgun",
    endpoint: region === "eu" ? "mailgun-eu" : "mailgun",
    repeatable: false,
    send: async (mail: ProviderMail) => {
      const { type, body } = await form({
        to: mail.to,
        message: new Blob([new Uint8Array(mail.raw)], { type: "message/rfc822" }),
        ...named(`v:${idName}`, mail),
        "o:tracking": "no",
      });
      return { method: "POST", path, headers: { authorization, "content-type": type }, body };
    },
    judge,
    // Without a message: even a key that may only send is told that one is missing.
    test: () => ({
      method: "POST",
      path,
      headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
      body: "",
    }),
    judgeTest: (answer) =>
      answer.status === 400
        ? { ok: true, words: `Mailgun takes mail of ${sendingDomain} with this key.` }
        : { ok: false, words: wordsOf(answer, textAt(answer, "message")) },
  };
}
