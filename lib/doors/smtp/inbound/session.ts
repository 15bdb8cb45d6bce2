import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import type { Database } from "@/db/client";
import {
  findReturnAddress,
  takeReturnedMail,
  takeStrayReport,
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
import { requireHere } from "@/lib/domain/projects/moves";
import { Inbox, largestBeginning } from "@/lib/doors/smtp/inbox";
import { refusal, ReplyError } from "@/lib/doors/smtp/replies";
import { isAppError } from "@/lib/ground/errors";
import { networkOf } from "@/lib/ground/net/addresses/network";
import { traced } from "@/lib/ground/traces/traces";
import { normalizeAddress } from "@/lib/mail/address";
import { receiveMail, receiveReport } from "@/lib/mail/incoming/incoming";

const largestMegabytes = 50;
export const largestMessageBytes = largestMegabytes * 1024 * 1024;

/** For letters and reports, which are kept whole. */
const inbox = new Inbox({ largeMegabytes: 96, smallMegabytes: 32 });
/** For mail that comes back: the report comes first, the returned message after it and is not kept. */
const returns = new Inbox({ largeMegabytes: 0, smallMegabytes: 32 });

/** For a packed report; unpacked it may be just as large (see unpack.ts). */
const largestReportMegabytes = 10;

const unknown = { code: 550, text: "5.1.1 There is no such address" };
const unread = {
  code: 550,
  text: "5.1.1 Nobody reads mail for this host, write to the postmaster of the domain it is about",
};

/** Whether everybody may expect the address to exist at our own host (RFC 5321, section 4.5.1, and RFC 2142). */
function isReserved(address: string, ownHost: string): boolean {
  const [name = "", host] = address.toLowerCase().split("@");
  return host === ownHost && ["postmaster", "abuse"].includes(name);
}

/** Where mail for an address goes. */
type Destination = ReturnAddress | InboundMailbox | ReportAddress;

type Done = (error?: Error | null, text?: string) => void;

/** smtp-server's handlers for mail from other servers; `onMessageEnd` is called at each final reply. */
export function sessionHandlers(
  db: Database,
  { ownHost, onMessageEnd }: { ownHost: string; onMessageEnd: () => void },
) {
  // RSET and the end of a message begin a new envelope.
  const destinations = new WeakMap<SMTPServerSession["envelope"], Map<string, Destination>>();

  /** RFC 5321, section 4.5.1: a postmaster without a domain is the server's own. */
  const withDomain = (address: string) =>
    address.toLowerCase() === "postmaster" ? `postmaster@${ownHost}` : address;

  async function checkRecipient(named: string, session: SMTPServerSession): Promise<void> {
    const address = withDomain(named);
    const destination =
      (await findReturnAddress(db, address, ownHost)) ??
      (await findReportAddress(db, address, ownHost)) ??
      (await findInboundMailbox(db, address));
    if (!destination) throw new ReplyError(isReserved(address, ownHost) ? unread : unknown);
    if ("projectId" in destination) await requireHere(db, destination.projectId);
    const { envelope } = session;
    const ofMessage = destinations.get(envelope) ?? new Map<string, Destination>();
    const kinds = [destination, ...ofMessage.values()].map(({ kind }) => kind);
    // A report that is refused must not take a bounce or a letter with it.
    if (kinds.length > 1 && kinds.includes("report") && !ofMessage.has(address)) {
      throw new ReplyError({ code: 452, text: "4.5.3 Bring a report to one address at a time" });
    }
    destinations.set(envelope, ofMessage.set(address, destination));
  }

  async function takeReturned(raw: Buffer, session: SMTPServerSession): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope;
    const emptySender = !mailFrom || mailFrom.address === "";
    for (const { address } of rcptTo) {
      const destination = destinations.get(session.envelope)?.get(address);
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
    const lane = networkOf(session.remoteAddress);
    try {
      const receiving = { lane, largestMegabytes: largestReportMegabytes };
      await inbox.withMessage(stream, receiving, async (raw) => {
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
    for (const { address: named } of session.envelope.rcptTo) {
      const address = withDomain(named);
      const destination = destinations.get(session.envelope)?.get(address);
      if (destination?.kind !== "inbound") continue;
      const { projectId } = destination;
      const mailbox = mailboxes.get(projectId) ?? { ...destination, recipients: new Set() };
      mailboxes.set(projectId, mailbox);
      mailbox.recipients.add(normalizeAddress(address) ?? address);
    }
    const described = describe(session);
    const envelopeFrom = described.sender;
    const lane = networkOf(session.remoteAddress);
    const received = await receiveMail(lane, raw, described);
    for (const { projectId, patterns, recipients } of mailboxes.values()) {
      const delivered = { projectId, patterns, recipients: [...recipients], envelopeFrom, raw };
      await takeInbound(db, delivered, received);
      if (envelopeFrom !== "") continue;
      await takeStrayReport(db, projectId, raw.subarray(0, largestBeginning));
    }
  }

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const named = [...(destinations.get(session.envelope)?.values() ?? [])];
    const report = named.find((destination) => destination.kind === "report");
    if (report) return takeReportTo(report, stream, session);
    const receiving = { lane: networkOf(session.remoteAddress), largestMegabytes };
    if (named.some(({ kind }) => kind === "inbound")) {
      return inbox.withMessage(stream, receiving, async (raw) => {
        await takeForProjects(raw, session);
        await takeReturned(raw.subarray(0, largestBeginning), session);
      });
    }
    return returns.withBeginning(stream, receiving, (raw) => takeReturned(raw, session));
  }

  return {
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
        .finally(onMessageEnd);
    },
  };
}
