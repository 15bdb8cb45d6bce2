import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import type { Database } from "@/db/client";
import {
  findReturnAddress,
  takeReturnedMail,
  type ReturnAddress,
} from "@/lib/domain/delivery-reports/returned-mail";
import { refusal, ReplyError } from "@/lib/doors/smtp/replies";
import { ByteBudget } from "@/lib/ground/byte-budget";
import { AppError } from "@/lib/ground/errors";

export const largestMessageBytes = 50 * 1024 * 1024;

const megabyte = 1024 * 1024;
/** The report stands first, the message that is returned behind it: more is received, and not kept. */
const keptBytes = megabyte / 4;
const budget = new ByteBudget({
  capacity: 48 * megabyte,
  smallCapacity: 32 * megabyte,
  largestSmall: keptBytes,
});

const mostSessionsPerAddress = 50;

/** The beginning of a message, which is read to its end. Throws PAYLOAD_TOO_LARGE. */
async function readBeginning(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [size, kept] = [0, 0];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (kept < keptBytes) {
      // A copy: a slice would keep all of the chunk.
      chunks.push(Buffer.from(chunk.subarray(0, keptBytes - kept)));
      kept += chunk.length;
    }
  }
  if (size > largestMessageBytes || stream.sizeExceeded) {
    throw new AppError("PAYLOAD_TOO_LARGE", "The message is larger than 50 MB.");
  }
  return Buffer.concat(chunks);
}

type Done = (error?: Error | null, text?: string) => void;

/** smtp-server's handlers for mail from other servers; `onMessageEnd` is called at each final reply. */
export function sessionHandlers(
  db: Database,
  { ownHost, onMessageEnd }: { ownHost: string; onMessageEnd: () => void },
) {
  const destinations = new WeakMap<SMTPServerSession, Map<string, ReturnAddress>>();
  const sessions = new Map<string, number>();

  async function checkRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const destination = await findReturnAddress(db, address, ownHost);
    if (!destination) throw new ReplyError({ code: 550, text: "5.1.1 There is no such address" });
    const known = destinations.get(session) ?? new Map<string, ReturnAddress>();
    destinations.set(session, known.set(address, destination));
  }

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const held = budget.tryTake(session.remoteAddress, keptBytes);
    try {
      const raw = await readBeginning(stream);
      if (!held) throw new AppError("UNAVAILABLE", "Too much mail at once, try again");
      const { mailFrom, rcptTo } = session.envelope;
      const emptySender = !mailFrom || mailFrom.address === "";
      for (const { address } of rcptTo) {
        const destination = destinations.get(session)?.get(address);
        if (destination) await takeReturnedMail(db, destination, { raw, emptySender });
      }
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
      take(stream, session)
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
