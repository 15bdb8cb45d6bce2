import { database, type Database } from "@/db/client";
import { parseJson, readBody } from "@/lib/doors/http/surface/body";
import { envelopeAnswer } from "@/lib/doors/http/surface/errors";
import type { RequestContext } from "@/lib/doors/http/surface/policy";
import { createSurfaceApp, type BodyRules } from "@/lib/doors/http/surface/surface";
import { keyCredential, sessionCredential } from "./credential";
import { openApiDocument } from "./openapi";
import { bearerOperations } from "./operations";
import { canonicalPath } from "./paths";

/** Which credential a mount takes: an API key, or the dashboard's session. */
type CredentialKind = "key" | "session";

async function readInput(c: RequestContext, { bodyOptional, bodyLimit }: BodyRules) {
  const rawBody = await readBody(c.req.raw, c.env, bodyLimit);
  const body = bodyOptional && rawBody.length === 0 ? {} : parseJson(rawBody);
  return { rawBody, body, files: [] };
}

/**
 * The bearer surface as a Hono app. `db` is the process's pool unless a test brings its own.
 */
export function createBearerApp(kind: CredentialKind, db: () => Database = database) {
  return createSurfaceApp(
    {
      operations: bearerOperations,
      canonicalPath,
      credential: kind === "key" ? keyCredential : sessionCredential,
      errorAnswer: envelopeAnswer,
      openDocuments: kind === "key" ? { "/v1/openapi.json": openApiDocument } : {},
      readInput,
      refusesUndeclared: true,
    },
    db,
  );
}
