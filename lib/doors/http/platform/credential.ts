import type { Database } from "@/db/client";
import { AppError } from "@/lib/ground/errors";
import { findPlatformIdentity } from "@/lib/domain/projects/platform-tokens";
import type { Credential } from "@/lib/doors/http/surface/credential";

const requestsPerMinute = 1000;

/**
 * Reads the token in `api_token`, or in `Authorization: Bearer`. It acts as its user with the role the
 * user has in the project at this moment. Throws MISSING_AUTH or INVALID_API_KEY.
 */
export async function platformCredential(db: Database, request: Request): Promise<Credential> {
  const header = /^Bearer +(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const token = new URL(request.url).searchParams.get("api_token") || header;
  if (!token) throw new AppError("MISSING_AUTH", "The parameter api_token is missing.");
  const identity = await findPlatformIdentity(db, token);
  if (!identity) throw new AppError("INVALID_API_KEY", "The API token is not known.");
  const rule = {
    subject: `platform:${identity.tokenId}`,
    limit: requestsPerMinute,
    windowSeconds: 60,
  };
  return {
    context: {
      projectId: identity.projectId,
      actor: { type: "user", id: identity.userId },
      role: identity.role,
      sendingOnly: false,
      testMode: false,
      platformTokenId: identity.tokenId,
    },
    isSession: false,
    rules: { send: rule, api: rule },
  };
}
