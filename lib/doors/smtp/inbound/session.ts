import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import type { Database } from "@/db/client";
import {
  findReturnAddress,
  takeReturnedMail,
  type ReturnAddress,
} from "@/lib/domain/delivery-reports/returned-mail";
import {
  findReportAddress,
  noteReport,
  takeReport,
  type ReportAddress,
} from "@/lib/domain/domain-reports/take";
import { findInboundMailbox, type InboundMailbox } from "@/lib/domain/inbound/find-mailbox";
import { takeInbound } from "@/lib/domain/inbound/receive";
import { withMessage } from "@/lib/doors/smtp/inbox";
import { refusal, ReplyError } from "@/lib/doors/smtp/replies";
import { ByteBudget } from "@/lib/ground/byte-budget";
import { AppError, isAppError } from "@/lib/ground/errors";
import { traced } from "@/lib/ground/traces/traces";
import { normalizeAddress } from "@/lib/mail/address";
import { receiveMail, receiveReport } from "@/lib/mail/incoming/incoming";

const largestMegabytes = 50;
export const largestMessageBytes = largestMegabytes * 1024 * 1024;

const megabyte = 1024 * 1024;
/** The report comes first, the returned message after it: anything beyond this is received but not kept. */
const keptBytes = megabyte / 4;
const budget = new ByteBudget({
  capacity: 48 * megabyte,
  smallCapacity: 32 * megabyte,
  largestSmall: keptBytes,
});

/** For a packed report; unpacked it may be just as large (see unpack.ts). */
const largestReportMegabytes = 10;

const mostSessionsPerAddress = 50;

/** The beginning of a message, which is read to its end. Throws PAYLOAD_TOO_LARGE. */
async function readBeginning(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [size, kept] = [0, 0];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (kept < keptBytes) {
      // A copy: a slice would keep the whole chunk.
      chunks.push(Buffer.from(chunk.subarray(0, keptBytes - kept)));
      kept += chunk.length;
    }
  }
  if (size > largestMessageBytes || stream.sizeExceeded) {
    throw new AppError("PAYLOAD_TOO_LARGE", "The message is larger than 50 MB.");
  }
  return Buffer.concat(chunks);
}

/** Where mail for an address goes. */
type Destination = ReturnAddress | InboundMailbox | ReportAddress;

type Done = (error?: Error | null, text?: string) => void;

/** smtp-server's handlers for mail from other servers; `onMessageEnd` is called at each final reply. */
export function sessionHandlers(
  db: Database,
  { ownHost, onMessageEnd }: { ownHost: string; onMessageEnd: () => void },
) {
  const destinations = new WeakMap<SMTPServerSession, Map<string, Destination>>();
  const sessions = new Map<string, number>();

  async function checkRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const destination =
      (await findReturnAddress(db, address, ownHost)) ??
      (await findReportAddress(db, address, ownHost)) ??
      (await findInboundMailbox(db, address));
    if (!destination) throw new ReplyError({ code: 550, text: "5.1.1 There is no such address" });
    const ofSession = destinations.get(session) ?? new Map<string, Destination>();
    const kinds = [destination, ...ofSession.values()].map(({ kind }) => kind);
    // A report that is refused must not take a bounce or a letter with it.
    if (kinds.length > 1 && kinds.includes("report") && !ofSession.has(address)) {
      throw new ReplyError({ code: 452, text: "4.5.3 Bring a report to one address at a time" });
    }
    destinations.set(session, ofSession.set(address, destination));
  }

  async function takeReturned(raw: Buffer, session: SMTPServerSession): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope;
    const emptySender = !mailFrom || mailFrom.address === "";
    for (const { address } of rcptTo) {
      const destination = destinations.get(session)?.get(address);
      if (destination && destination.kind !== "inbound" && destination.kind !== "report") {
        await takeReturnedMail(db, destination, { raw, emptySender });
      }
    }
  }

  function describe(session: SMTPServerSession) {
    const { mailFrom } = session.envelope;
    return {
      ip: session.remoteAddress,
      helo: session.hostNameAppearsAs || "unknown",
      sender: mailFrom ? mailFrom.address : "",
      ownHost,
    };
  }

  async function takeReportTo(
    address: ReportAddress,
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<void> {
    const lane = session.remoteAddress;
    try {
      const receiving = { lane, largestMegabytes: largestReportMegabytes };
      await withMessage(stream, receiving, async (raw) => {
        const reading = { kind: address.reports, session: describe(session) };
        const received = await receiveReport(lane, raw, reading).catch((error: unknown) => {
          noteReport(address, "too_large", { message: "It takes too much to read." });
          throw error;
        });
        await takeReport(db, address, received);
      });
    } catch (error) {
      if (isAppError(error) && error.code === "PAYLOAD_TOO_LARGE") {
        noteReport(address, "too_large");
      }
      throw error;
    }
  }

  /** Once for each project, however many of its addresses are named. */
  async function takeForProjects(raw: Buffer, session: SMTPServerSession): Promise<void> {
    const mailboxes = new Map<string, InboundMailbox & { recipients: Set<string> }>();
    for (const { address } of session.envelope.rcptTo) {
      const destination = destinations.get(session)?.get(address);
      if (destination?.kind !== "inbound") continue;
      const { projectId } = destination;
      const mailbox = mailboxes.get(projectId) ?? { ...destination, recipients: new Set() };
      mailboxes.set(projectId, mailbox);
      mailbox.recipients.add(normalizeAddress(address) ?? address);
    }
    const described = describe(session);
    const envelopeFrom = described.sender;
    const received = await receiveMail(session.remoteAddress, raw, described);
    for (const { projectId, patterns, recipients } of mailboxes.values()) {
      const delivered = { projectId, patterns, recipients: [...recipients], envelopeFrom, raw };
      await takeInbound(db, delivered, received);
    }
  }

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const named = [...(destinations.get(session)?.values() ?? [])];
    const report = named.find((destination) => destination.kind === "report");
    if (report) return takeReportTo(report, stream, session);
    const kinds = named.map(({ kind }) => kind);
    if (kinds.includes("inbound")) {
      const receiving = { lane: session.remoteAddress, largestMegabytes };
      await withMessage(stream, receiving, async (raw) => {
        await takeForProjects(raw, session);
        await takeReturned(raw.subarray(0, keptBytes), session);
      });
      return;
    }
    const held = budget.tryTake(session.remoteAddress, keptBytes);
    try {
      const raw = await readBeginning(stream);
      if (!held) throw new AppError("UNAVAILABLE", "Too much mail at once, try again");
      await takeReturned(raw, session);
    } finally {
      held?.release();
    }
  }

  return {
    onConnect({ remoteAddress }: SMTPServerSession, done: Done): void {
      const open = (sessions.get(remoteAddress) ?? 0) + 1;
      sessions.set(remoteAddress, open);
      if (open <= mostSessionsPerAddress) done();
      else done(new ReplyError({ code: 421, text: "4.7.0 Too many sessions from your address" }));
    },
    onClose({ remoteAddress }: SMTPServerSession): void {
      const open = (sessions.get(remoteAddress) ?? 1) - 1;
      if (open > 0) sessions.set(remoteAddress, open);
      else sessions.delete(remoteAddress);
    },
    onRcptTo({ address }: SMTPServerAddress, session: SMTPServerSession, done: Done): void {
      checkRecipient(address, session).then(
        () => done(),
        (error: unknown) => done(refusal(error)),
      );
    },
    onData(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): void {
      traced("take mail in", { kind: "server" }, () => take(stream, session))
        .then(
          () => done(null, "2.6.0 Taken"),
          (error: unknown) => done(refusal(error)),
        )
        .finally(() => {
          destinations.delete(session);
          onMessageEnd();
        });
    },
  };
}
