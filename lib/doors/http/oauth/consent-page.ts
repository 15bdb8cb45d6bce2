import { database } from "@/db/client";
import {
  readAuthorization,
  returnAddress,
  type AuthorizationRequest,
  type ReportableFault,
} from "@/lib/domain/assistants/authorize";
import { isOAuthFault } from "@/lib/domain/assistants/fault";

type Asked =
  | { asked: Record<string, string>; request: AuthorizationRequest }
  /** What the program may be told at its own address. */
  | { fault: ReportableFault; returnTo: string }
  | { refused: string };

/** What the consent page was opened with. */
export async function askedAuthorization(
  query: Readonly<Record<string, string | string[] | undefined>>,
): Promise<Asked> {
  const asked: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    // RFC 6749, 3.1: each at most once.
    if (Array.isArray(value)) return { refused: `${name.slice(0, 100)} stands twice.` };
    if (value !== undefined) asked[name] = value;
  }
  try {
    const read = await readAuthorization(database(), asked);
    if ("request" in read) return { asked, request: read.request };
    const { code, message } = read.fault;
    const answer = { error: code, error_description: message };
    return { fault: read.fault, returnTo: returnAddress(read.fault, answer) };
  } catch (error) {
    if (isOAuthFault(error)) return { refused: error.message };
    throw error;
  }
}
