import type { Database } from "@/db/client";
import { AppError, notFound, type ErrorCode } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { findAssistant } from "@/lib/domain/assistants/acting";
import { findSession } from "@/lib/domain/users/sessions";
import type { Credential } from "@/lib/doors/http/surface/credential";
import { keyCredential } from "@/lib/doors/http/surface/key-credential";
import { isSameOrigin } from "@/lib/doors/http/surface/same-origin";
import { viewerHeader } from "@/lib/doors/http/client";
import { sessionProject } from "./paths";

const sessionRequestsPerMinute = 1000;

function refuse(code: ErrorCode, message: string): AppError {
  return new AppError(code, message);
}

/**
 * As keyCredential, for the tool server, which takes an assistant's access token as well; nothing else does, since
 * the person agreed to the tools (RFC 8707). Throws NOT_ALLOWED when the person may no longer send.
 */
export async function toolCredential(db: Database, request: Request): Promise<Credential> {
  const token = /^Bearer +(lma_\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return keyCredential(db, request);
  const assistant = await findAssistant(db, token);
  if (!assistant) {
    throw refuse("INVALID_API_KEY", "The access token is unknown or has expired.");
  }
  return { ...assistant, isSession: false };
}

/**
 * Reads the dashboard's session and the project in the path. Throws MISSING_AUTH without a session, NOT_FOUND
 * for a project the user is not a member of. Somebody who lacks the two-step sign-in that the project asks
 * for counts as a viewer, and only of their own account. NOT_ALLOWED for writes from another origin. A page tells
 * whom it was made for: MISSING_AUTH, with a detail at `viewer`, once somebody else has signed in.
 */
export async function sessionCredential(db: Database, request: Request): Promise<Credential> {
  const projectId = decodeId("project", sessionProject(new URL(request.url).pathname) ?? "");
  const session = await findSession(db, request.headers, projectId);
  if (!session) throw refuse("MISSING_AUTH", "Sign in to use the dashboard.");
  const viewer = request.headers.get(viewerHeader);
  if (viewer !== null && decodeId("user", viewer) !== session.user.id) {
    throw new AppError(
      "MISSING_AUTH",
      `You are signed in as ${session.user.email}, and this page was opened by somebody else.`,
      [{ path: "viewer", message: "is not who is signed in" }],
    );
  }
  if (!["GET", "HEAD"].includes(request.method) && !isSameOrigin(request)) {
    throw refuse("NOT_ALLOWED", "With a session, changes are accepted from the dashboard only.");
  }
  const { id, user, role, lacksTwoStep, onlyProjectId } = session;
  if (!projectId || !(role ?? lacksTwoStep)) throw notFound();
  const rule = {
    subject: `session:${user.id}`,
    limit: sessionRequestsPerMinute,
    windowSeconds: 60,
  };
  return {
    context: {
      projectId,
      actor: { type: "user", id: user.id },
      role: role ?? "viewer",
      sendingOnly: false,
      testMode: false,
      session: { id, onlyProject: onlyProjectId !== null },
    },
    isSession: true,
    lacksTwoStep,
    rules: { send: rule, api: rule },
  };
}
