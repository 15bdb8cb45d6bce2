import type { OriginChecks } from "@/db/schema/inbound";
import { rememberingResolver } from "@/lib/ground/dns/resolver";
import { env } from "@/lib/ground/env/env";
import { AppError } from "@/lib/ground/errors";
import { JobEnded, ProcessPool } from "@/lib/ground/processes/process-pool";
import type { DomainReportKind } from "@/lib/mail/domain-reports/address";
import type { ReadReport } from "@/lib/mail/domain-reports/read";
import { attachmentAt, viewMessage, type AttachedFile } from "@/lib/mail/message/message-view";
import type { MessageView } from "@/lib/mail/message/view-schema";
import type { IncomingJobs } from "./incoming-process";
import { checkOrigin, type IncomingSession } from "./origin";
import { headOf, readIncoming, type IncomingMail } from "./read";

/*
 * What strangers write is read where it can be ended: in processes of their own. Only small mail, whose
 * cost is bounded by its size, is read on the loop.
 */

/** A mail that came in, as read, and whether it comes from where it says. */
export interface ReceivedMail {
  mail: IncomingMail;
  checks: OriginChecks;
}

/** A mail sent to a domain's address for reports; it is read only if its sender is proven. */
export interface ReceivedReport {
  mail: ReadReport | null;
  checks: OriginChecks;
}

const kilobyte = 1024;
const megabyte = kilobyte * kilobyte;
const largestOnLoop = 64 * kilobyte;
/** Unfolding a long header takes time in the square of its length: 80 KB take two seconds. */
const longestHeadOnLoop = 12 * kilobyte;

const holder = globalThis as { lettermillIncomingProcesses?: ProcessPool };

function processes(): ProcessPool {
  return (holder.lettermillIncomingProcesses ??= new ProcessPool({
    file: "lib/mail/incoming/incoming-process.ts",
    processes: 2,
    perLane: 1,
    memoryMegabytes: 512,
    idleMilliseconds: 60_000,
  }));
}

const nothingShared = {};

async function inProcess<Job extends keyof IncomingJobs>(
  lane: string,
  job: Job,
  input: Parameters<IncomingJobs[Job]>[1],
  bytes: number,
): Promise<Awaited<ReturnType<IncomingJobs[Job]>>> {
  // 50 MB take three seconds.
  const milliseconds = 500 + (bytes / megabyte) * 200;
  try {
    const task = { lane, job, shared: nothingShared, input, milliseconds };
    return (await processes().run(task)) as Awaited<ReturnType<IncomingJobs[Job]>>;
  } catch (error) {
    if (!(error instanceof JobEnded)) throw error;
    throw new AppError("VALIDATION_ERROR", `The message takes too much ${error.reason} to read.`);
  }
}

/**
 * Reads a mail and checks its origin. Lanes, such as the addresses that mail comes from, take turns.
 * Throws VALIDATION_ERROR for unreadable mail.
 */
export async function receiveMail(
  lane: string,
  raw: Buffer,
  session: IncomingSession,
): Promise<ReceivedMail> {
  const dnsServers = env().DNS_SERVERS;
  if (raw.length > largestOnLoop || headOf(raw).length > longestHeadOnLoop) {
    return inProcess(lane, "receive", { raw, session, dnsServers }, raw.length);
  }
  const [mail, checks] = await Promise.all([
    readIncoming(raw),
    checkOrigin(raw, session, rememberingResolver(dnsServers)),
  ]);
  return { mail, checks };
}

/** What unpacking and reading a report may take, as if its mail had this many bytes. */
const reportBytes = 20 * megabyte;

/** Reads a mail's report and checks its origin. Never on the loop: a small file may hold a lot. */
export async function receiveReport(
  lane: string,
  raw: Buffer,
  { kind, session }: { kind: DomainReportKind; session: IncomingSession },
): Promise<ReceivedReport> {
  const input = { raw, session, kind, dnsServers: env().DNS_SERVERS };
  return inProcess(lane, "report", input, reportBytes);
}

/** A mail that came in or went out, as a mail client shows it. */
export function viewWholeMail(lane: string, raw: Buffer): Promise<MessageView> {
  return raw.length > largestOnLoop ? inProcess(lane, "view", raw, raw.length) : viewMessage(raw);
}

/** The file at a position among its attachments; null when there is none. */
export async function fileOfMail(
  lane: string,
  raw: Buffer,
  position: number,
): Promise<AttachedFile | null> {
  if (raw.length <= largestOnLoop) return attachmentAt(raw, position);
  const file = await inProcess(lane, "attachment", { raw, position }, raw.length);
  // Between processes a Buffer becomes a Uint8Array.
  return file && { ...file, content: Buffer.from(file.content) };
}
