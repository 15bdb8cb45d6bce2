import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { foldAddress, parseMailbox } from "@/lib/mail/address";
import { AppError, invalid } from "@/lib/ground/errors";
import { sha256 } from "@/lib/ground/secrets";
import { largestAttachmentsBytes, mostRecipients, type SendInput } from "./send-schema";
import { farthestScheduleDays } from "./terms";

export interface Mailbox {
  email: string;
  name: string;
}

export interface AttachmentContent {
  filename: string;
  contentType: string;
  contentId: string | null;
  content: Buffer;
  sha256: Buffer;
}

/** A send with its aliases resolved and its recipients separated, ready to be accepted. */
export interface NormalizedSend {
  to: Mailbox[];
  from: Mailbox;
  subject: string | null;
  html: string | null;
  text: string | null;
  templateId: string | null;
  data: Record<string, unknown> | null;
  replyTo: string | null;
  headers: Record<string, string> | null;
  attachments: AttachmentContent[];
  subscribed: boolean | null;
  scheduledAt: string | null;
  sendBefore: string | null;
  metadata: Record<string, string> | null;
  trackOpens: boolean | null;
  trackClicks: boolean | null;
}

/** The one value given under any of several names; VALIDATION_ERROR when two names have different values. */
export function settleAlias<Input extends object, Key extends keyof Input>(
  input: Input,
  names: readonly Key[],
  at = "",
): Exclude<Input[Key], undefined> | undefined {
  const present = names.filter((name) => input[name] !== undefined);
  const withValue = present.filter((name) => input[name] !== null);
  // A null next to a value is a name that was not used; on its own it may mean "none".
  const first = withValue[0] ?? present[0];
  if (first === undefined) return undefined;
  for (const name of withValue) {
    if (JSON.stringify(input[name]) !== JSON.stringify(input[first])) {
      throw invalid(
        at + String(name),
        `and ${at}${String(first)} mean the same and have different values`,
      );
    }
  }
  return input[first] as Exclude<Input[Key], undefined>;
}

/** A validated address or person. */
export function toMailbox(value: string | { email: string; name?: string | undefined }): Mailbox {
  const parsed = parseMailbox(typeof value === "string" ? value : value.email);
  // The schema only lets addresses through.
  if (!parsed) throw invalid("", "is not an email address");
  return typeof value === "string"
    ? parsed
    : { email: parsed.email, name: value.name?.trim() ?? "" };
}

function decodeAttachments(input: SendInput, at: string): AttachmentContent[] {
  let total = 0;
  return (input.attachments ?? []).map((attachment, index) => {
    const base64 = attachment.content.replace(/\s+/g, "");
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.replace(/={1,2}$/, "").length % 4 === 1) {
      throw invalid(`${at}attachments[${index}].content`, "is not Base64");
    }
    const content = Buffer.from(base64, "base64");
    total += content.length;
    if (total > largestAttachmentsBytes) {
      throw new AppError("PAYLOAD_TOO_LARGE", `${at}attachments: are larger than 25 MB in all`, [
        { path: `${at}attachments`, message: "are larger than 25 MB in all" },
      ]);
    }
    return {
      filename: attachment.filename,
      contentType: attachment.contentType ?? "application/octet-stream",
      contentId: attachment.contentId ?? null,
      content,
      sha256: sha256(content),
    };
  });
}

/** The database's time, which decides on schedules instead of each machine's. */
export async function databaseTime(executor: Executor): Promise<Date> {
  const [row] = await executor.execute<{ now: string }>(sql`select app_now() as now`);
  return new Date(row?.now ?? 0);
}

/** A time to send at, as ISO; throws VALIDATION_ERROR when at `now` it is past or too far. */
export function checkSchedule(
  scheduledAt: string,
  at: string,
  now: Date,
  farthestDays = farthestScheduleDays,
): string {
  const time = Date.parse(scheduledAt);
  const ahead = time - now.getTime();
  if (ahead > farthestDays * 86_400_000) {
    throw invalid(`${at}scheduledAt`, `is more than ${farthestDays} days ahead`);
  }
  // A minute's leeway for clocks that disagree.
  if (ahead < -60_000) throw invalid(`${at}scheduledAt`, "is in the past");
  return new Date(time).toISOString();
}

/**
 * The deadline for sending, as ISO; throws VALIDATION_ERROR when it has passed, or comes before the mail is due.
 */
export function checkSendBefore(
  sendBefore: string,
  at: string,
  { now, scheduledAt }: { now: Date; scheduledAt: string | null },
): string {
  const time = Date.parse(sendBefore);
  if (time <= now.getTime()) throw invalid(`${at}sendBefore`, "is in the past");
  if (scheduledAt !== null && time <= Date.parse(scheduledAt)) {
    throw invalid(`${at}sendBefore`, "is not after scheduledAt");
  }
  return new Date(time).toISOString();
}

/**
 * Settles aliases and recipients of a validated send. `at` is what paths in errors begin with
 * (`emails[3].`), `now` the database's time. Throws VALIDATION_ERROR or PAYLOAD_TOO_LARGE.
 */
export function normalizeSend(input: SendInput, at: string, now: Date): NormalizedSend {
  const html = settleAlias(input, ["body", "html", "htmlBody"], at) ?? null;
  const templateId = settleAlias(input, ["template", "templateId"], at) ?? null;
  const from = toMailbox(input.from);
  if (!templateId) {
    if (!input.subject?.trim()) {
      throw invalid(`${at}subject`, "is required unless a template is given");
    }
    if (html === null && input.text === undefined) {
      throw invalid(`${at}body`, "is required unless a template is given");
    }
  }
  const fromName = settleAlias(input, ["fromName", "name"], at)?.trim();
  if (fromName !== undefined && from.name && from.name !== fromName) {
    throw invalid(`${at}fromName`, "and the name in from have different values");
  }
  const seen = new Set<string>();
  const to = [input.to]
    .flat()
    .map(toMailbox)
    .filter(({ email }) => {
      const key = foldAddress(email);
      return seen.has(key) ? false : Boolean(seen.add(key));
    });
  // A repeated recipient counts once, so the schema cannot count them.
  if (to.length > mostRecipients) {
    throw invalid(`${at}to`, `names more than ${mostRecipients} recipients`);
  }
  const replyTo = settleAlias(input, ["reply", "replyTo"], at) ?? null;
  const scheduledAt =
    input.scheduledAt === undefined ? null : checkSchedule(input.scheduledAt, at, now);
  const { sendBefore } = input;
  return {
    to,
    from: { email: from.email, name: fromName ?? from.name },
    subject: input.subject ?? null,
    html,
    text: input.text ?? null,
    templateId,
    data: settleAlias(input, ["data", "templateData"], at) ?? null,
    replyTo,
    headers: input.headers ?? null,
    attachments: decodeAttachments(input, at),
    subscribed: input.subscribed ?? null,
    scheduledAt,
    sendBefore:
      sendBefore === undefined ? null : checkSendBefore(sendBefore, at, { now, scheduledAt }),
    metadata: input.metadata ?? null,
    trackOpens: input.tracking?.opens ?? null,
    trackClicks: input.tracking?.clicks ?? null,
  };
}
