import { inboundReplies } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { settleAlias } from "@/lib/domain/emails/normalize";
import type { Replayable } from "@/lib/domain/emails/idempotency";
import { largestSubject } from "@/lib/domain/emails/terms";
import type { SendAnswer } from "@/lib/domain/emails/send-schema";
import { sendEmail, type SendOptions } from "@/lib/domain/emails/send";
import { parseMailbox } from "@/lib/mail/address";
import { getInbound } from "./read";
import type { InboundEmail, ReplyInput } from "./schema";

/** Why a mail must not be answered; null when it may be. Machines that answer each other never stop. */
export function unanswerable({
  envelopeFrom,
  automatic,
  from,
  replyTo,
}: InboundEmail): string | null {
  if (envelopeFrom === "") return "The message is a bounce: nobody would read a reply.";
  if (automatic) return "The message was sent automatically: a reply could start a loop.";
  return parseMailbox(addressee({ from, replyTo })) ? null : "The message names no sender.";
}

function addressee({ from, replyTo }: Pick<InboundEmail, "from" | "replyTo">): string {
  return (replyTo.find(({ email }) => email !== "") ?? from).email;
}

function subjectOf({ subject }: InboundEmail, chosen: string | undefined): string {
  if (chosen !== undefined) return chosen;
  const plain = subject.replace(/[\r\n]+/g, " ").trim();
  return (/^re:/i.test(plain) ? plain : `Re: ${plain}`).slice(0, largestSubject);
}

const longestReferences = 900;

/** Makes mail programs show both as one conversation (RFC 5322, section 3.6.4). */
function threading({ messageId, references }: InboundEmail): Record<string, string> {
  const printable = (id: string) => /^[\x21-\x7e]+$/.test(id);
  if (messageId === null || !printable(messageId)) return {};
  const ids = [...references.filter(printable), messageId].map((id) => `<${id}>`);
  // The first names the conversation; of the others, the newest matter.
  while (ids.join(" ").length > longestReferences && ids.length > 1) {
    ids.splice(ids.length > 2 ? 1 : 0, 1);
  }
  return { "In-Reply-To": `<${messageId}>`, References: ids.join(" ") };
}

/**
 * Answers received mail from the address it was sent to, in the same conversation. Throws NOT_FOUND, CONFLICT for
 * mail written by a machine, and whatever sendEmail throws. Needs editor.
 */
export async function replyToInbound(
  ctx: Context,
  id: string,
  input: ReplyInput,
  options: SendOptions = {},
): Promise<Replayable<SendAnswer>> {
  requireRole(ctx, "editor");
  const mail = await getInbound(ctx, id);
  const refusal = unanswerable(mail);
  if (refusal !== null) throw new AppError("CONFLICT", refusal);
  const html = settleAlias(input, ["html", "body"]);
  if (html === undefined && input.text === undefined) throw invalid("text", "is required");
  const from = input.from ?? mail.to[0];
  if (from === undefined) throw new Error("A mail was kept without a recipient.");
  const answer = await sendEmail(
    ctx,
    {
      to: addressee(mail),
      from,
      subject: subjectOf(mail, input.subject),
      ...(html === undefined ? {} : { html }),
      ...(input.text === undefined ? {} : { text: input.text }),
      ...(input.attachments === undefined ? {} : { attachments: input.attachments }),
      ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
      headers: threading(mail),
      tracking: { opens: false, clicks: false },
    },
    { ...options, liquid: false },
  );
  const inboundId = decodeId("inbound", id);
  const sent = answer.result.data.emails.flatMap(({ email }) => decodeId("email", email) ?? []);
  if (inboundId !== null && sent.length > 0) {
    await ctx.db
      .insert(inboundReplies)
      .values(sent.map((emailId) => ({ inboundId, emailId })))
      .onConflictDoNothing();
  }
  return answer;
}
