import { rememberingResolver } from "@/lib/ground/dns/resolver";
import { serveJobs } from "@/lib/ground/processes/serve";
import type { DomainReportKind } from "@/lib/mail/domain-reports/address";
import { readReportMail } from "@/lib/mail/domain-reports/read";
import { attachmentAt, viewMessage, type AttachedFile } from "@/lib/mail/message/message-view";
import type { MessageView } from "@/lib/mail/message/view-schema";
import { checkOrigin, isProven, type IncomingSession } from "./origin";
import { readIncoming } from "./read";
import type { ReceivedMail, ReceivedReport } from "./incoming";

interface Received {
  raw: Uint8Array;
  session: IncomingSession;
  dnsServers: readonly string[];
}

const bufferOf = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const jobs = {
  async receive(_: unknown, { raw, session, dnsServers }: Received): Promise<ReceivedMail> {
    const message = bufferOf(raw);
    const mail = await readIncoming(message);
    return { mail, checks: await checkOrigin(message, session, rememberingResolver(dnsServers)) };
  },
  async report(
    _: unknown,
    { raw, session, dnsServers, kind }: Received & { kind: DomainReportKind },
  ): Promise<ReceivedReport> {
    const message = bufferOf(raw);
    // First the cheap question of whether the mail's sender is proven: if not, it is not unpacked.
    const checks = await checkOrigin(message, session, rememberingResolver(dnsServers));
    if (!isProven(checks)) return { checks, mail: null };
    return { checks, mail: await readReportMail(kind, message) };
  },
  view: (_: unknown, raw: Uint8Array): Promise<MessageView> => viewMessage(bufferOf(raw)),
  attachment: (
    _: unknown,
    { raw, position }: { raw: Uint8Array; position: number },
  ): Promise<AttachedFile | null> => attachmentAt(bufferOf(raw), position),
};
export type IncomingJobs = typeof jobs;

process.title = "lettermill inbound";
serveJobs(jobs);
