import type {
  SMTPServerAuthentication,
  SMTPServerDataStream,
  SMTPServerSession,
} from "smtp-server";
import type { Database } from "@/db/client";
import { deniedRate, keyContext, keyRates } from "@/lib/domain/api-keys/acting";
import { findKeyIdentity, type KeyIdentity } from "@/lib/domain/api-keys/authenticate";
import { foldAddress, normalizeAddress } from "@/lib/mail/address";
import type { Mailbox } from "@/lib/domain/emails/normalize";
import { acceptRelayed } from "@/lib/domain/emails/relay";
import { requireHere } from "@/lib/domain/projects/moves";
import { AppError } from "@/lib/ground/errors";
import { newRequestId } from "@/lib/ground/ids/request-id";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { log } from "@/lib/ground/log";
import { takeFromRate } from "@/lib/ground/rate-limit";
import { traced } from "@/lib/ground/traces/traces";
import { Inbox } from "@/lib/doors/smtp/inbox";
import { parseMessage } from "./message";
import { acceptedText, refusal, ReplyError } from "@/lib/doors/smtp/replies";

/** What a logged-in session keeps: the key, which is looked up again for each message. */
interface Login {
  key: string;
  /** uuid */
  projectId: string;
}

export const largestMegabytes = 40;

/** Its own: what strangers bring to the other server takes no room from customers' mail. */
const inbox = new Inbox({ largeMegabytes: 96, smallMegabytes: 32 });

const mostFailedLogins = 5;
const failedLogins = new WeakMap<SMTPServerSession, number>();

async function identify(db: Database, key: string): Promise<KeyIdentity> {
  const identity = await findKeyIdentity(db, key);
  if (!identity) throw new AppError("INVALID_API_KEY", "The API key was revoked.");
  await requireHere(db, identity.projectId);
  return identity;
}

async function logIn(
  db: Database,
  { username, password }: SMTPServerAuthentication,
  session: SMTPServerSession,
): Promise<Login> {
  if (!session.secure && !isLoopback(session.remoteAddress)) {
    throw new ReplyError({ code: 538, text: "5.7.11 Issue STARTTLS first" });
  }
  const identity = username === "apikey" && password ? await findKeyIdentity(db, password) : null;
  if (identity && password) return { key: password, projectId: identity.projectId };
  const failed = (failedLogins.get(session) ?? 0) + 1;
  failedLogins.set(session, failed);
  const { allowed } = await takeFromRate(db, deniedRate(session.remoteAddress));
  if (!allowed || failed >= mostFailedLogins) {
    throw new ReplyError({ code: 421, text: "4.7.0 Too many failed logins" });
  }
  throw new ReplyError({
    code: 535,
    text: "5.7.8 The login was refused: the user is apikey, the password an API key",
  });
}

/** Each message counts as a send, starting at its MAIL FROM. */
async function countMessage(db: Database, session: SMTPServerSession): Promise<void> {
  const { key } = session.user as Login;
  const state = await takeFromRate(db, keyRates(await identify(db, key)).send);
  if (!state.allowed) {
    throw new AppError(
      "RATE_LIMIT_EXCEEDED",
      `Too many messages. Try again in ${state.retryAfterSeconds} s.`,
    );
  }
}

function checkRecipient(address: string): void {
  if (!normalizeAddress(address) || address.includes("\ufffd")) {
    throw new ReplyError({ code: 553, text: "5.1.3 This is not an address mail can be sent to" });
  }
}

/** Who gets it: the envelope says so, and To and Cc lend their names. */
function recipientsOf(session: SMTPServerSession, names: ReadonlyMap<string, string>): Mailbox[] {
  const recipients = new Map<string, Mailbox>();
  for (const { address } of session.envelope.rcptTo) {
    const email = normalizeAddress(address) ?? address;
    const key = foldAddress(email);
    if (!recipients.has(key)) recipients.set(key, { email, name: names.get(key) ?? "" });
  }
  return [...recipients.values()];
}

/** Host and address, as Received names them (RFC 5321, section 4.4); what EHLO said may be anything. */
function clientOf({ hostNameAppearsAs, remoteAddress }: SMTPServerSession): string {
  const name = String(hostNameAppearsAs);
  const host = /^\[?[\w.:-]{1,255}\]?$/.test(name) ? name : "unknown";
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, "");
  return `${host} ([${address.includes(":") ? "IPv6:" : ""}${address}])`;
}

/** Accepts one message; resolves, after the commit, to the text of the final reply. */
async function takeMessage(
  db: Database,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<string> {
  const { key, projectId } = session.user as Login;
  return inbox.withMessage(stream, { lane: projectId, largestMegabytes }, async (raw) => {
    const { message, names, idempotencyKey } = await parseMessage(raw);
    // Receiving a message takes time: the key may have been revoked since.
    const identity = await identify(db, key);
    const requestId = newRequestId();
    const recipients = recipientsOf(session, names);
    const context = { ...keyContext(identity), db, requestId };
    const options = { recipients, idempotencyKey, client: clientOf(session) };
    const accepted = await acceptRelayed(context, message, options);
    log.debug({ requestId, emails: accepted.result.length }, "relayed");
    return acceptedText(accepted.result);
  });
}

/** smtp-server's handlers for each step of a session; `onMessageEnd` is called at each final reply. */
export function sessionHandlers(db: Database, onMessageEnd: () => void) {
  return {
    onAuth(
      auth: SMTPServerAuthentication,
      session: SMTPServerSession,
      callback: (error: Error | null, response?: { user: Login }) => void,
    ): void {
      logIn(db, auth, session).then(
        (user) => callback(null, { user }),
        (error: unknown) => callback(refusal(error)),
      );
    },
    onMailFrom(
      _address: unknown,
      session: SMTPServerSession,
      callback: (error?: Error) => void,
    ): void {
      countMessage(db, session).then(
        () => callback(),
        (error: unknown) => callback(refusal(error)),
      );
    },
    onRcptTo(
      { address }: { address: string },
      _session: SMTPServerSession,
      callback: (error?: Error) => void,
    ): void {
      try {
        checkRecipient(address);
        callback();
      } catch (error) {
        callback(refusal(error));
      }
    },
    onData(
      stream: SMTPServerDataStream,
      session: SMTPServerSession,
      callback: (error: Error | null, text?: string) => void,
    ): void {
      traced("relay mail", { kind: "server" }, () => takeMessage(db, stream, session))
        .then(
          (text) => callback(null, text),
          (error: unknown) => callback(refusal(error)),
        )
        .finally(onMessageEnd);
    },
  };
}
