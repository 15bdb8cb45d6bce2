import { sqlState } from "@/db/errors";
import { isAppError } from "@/lib/ground/errors";

/** Something the operator can fix: its message is one sentence, and all they get to see. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** The code of a system error in the chain of causes; null for other errors. */
function systemCode(error: unknown): string | null {
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string") return code;
    const { errors } = cause as { errors?: unknown };
    cause = Array.isArray(errors) ? errors[0] : (cause as { cause?: unknown }).cause;
  }
  return null;
}

/** A database's address without its user and password. */
export function addressOf(databaseUrl: string): string {
  try {
    const { host, pathname, searchParams } = new URL(databaseUrl);
    return `${host || searchParams.get("host") || "localhost"}${pathname}`;
  } catch {
    return "an address that is not a URL";
  }
}

const connectionFaults: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the server closed the connection",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name cannot be looked up now",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "it does not answer",
  CONNECT_TIMEOUT: "it does not answer",
  CONNECTION_CLOSED: "the server closed the connection",
  ENOENT: "there is no such socket",
};
const databaseFaults: Record<string, string> = {
  "28P01": "it refuses the user or the password",
  "28000": "it refuses the user",
  "3D000": "it has no database of that name",
  "42501": "the user may not create tables there",
  "53300": "it takes no more connections",
  "57P03": "it is starting or stopping",
};

/** One sentence on why the database cannot be used; null for other errors. */
export function databaseFault(error: unknown, databaseUrl: string): Fault | null {
  const state = sqlState(error);
  const code = systemCode(error);
  const reason = (state && databaseFaults[state]) ?? (code && connectionFaults[code]);
  return reason
    ? new Fault(
        `The database at ${addressOf(databaseUrl)} (DATABASE_URL) cannot be used: ${reason}.`,
      )
    : null;
}

const fileFaults: Record<string, string> = {
  ENOENT: "nothing can be made there",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a file of that name is in the way",
};

/** One sentence on why a file or folder cannot be used. */
export function fileFault(what: string, error: unknown): Fault {
  const code = systemCode(error);
  const reason = (code && fileFaults[code]) ?? (error instanceof Error ? error.message : "unknown");
  return new Fault(`${what}: ${reason}.`);
}

/** The sentence for the terminal; null for a bug of ours, where its stack says more. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof Fault || isAppError(error)) return error.message;
  const databaseUrl = process.env.DATABASE_URL;
  return (databaseUrl && databaseFault(error, databaseUrl)?.message) || null;
}

/** Writes what went wrong to stderr; the process should then exit with 1. */
export function report(error: unknown): void {
  const sentence = sentenceOf(error);
  if (sentence !== null) process.stderr.write(`${sentence}\n`);
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
