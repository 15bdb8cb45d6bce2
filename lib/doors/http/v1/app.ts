import { database, type Database } from "@/db/client";
import { parseJson, readBody } from "@/lib/doors/http/surface/body";
import { envelopeAnswer } from "@/lib/doors/http/surface/errors";
import type { RequestContext } from "@/lib/doors/http/surface/policy";
import { createSurfaceApp, type BodyRules } from "@/lib/doors/http/surface/surface";
import { keyCredential, sessionCredential, toolCredential } from "./credential";
import { openApiDocument } from "./openapi";
import { bearerOperations } from "./operations";
import { canonicalPath } from "./paths";

/** Which credential a mount takes: an API key, the dashboard's session, or whatever the tool server takes. */
const credentials = { key: keyCredential, session: sessionCredential, tool: toolCredential };

async function readInput(c: RequestContext, { bodyOptional, bodyLimit }: BodyRules) {
  const rawBody = await readBody(c.req.raw, c.env, bodyLimit);
  const body = bodyOptional && rawBody.length === 0 ? {} : parseJson(rawBody);
  return { rawBody, body, files: [] };
}

/**
 * The bearer surface as a Hono app. `db` is the process's pool unless a test brings its own.
 */
export function createBearerApp(kind: keyof typeof credentials, db: () => Database = database) {
  return createSurfaceApp(
    {
      operations: bearerOperations,
      canonicalPath,
      credential: credentials[kind],
      errorAnswer: envelopeAnswer,
      openDocuments: kind === "key" ? { "/v1/openapi.json": openApiDocument } : {},
      readInput,
      refusesUndeclared: true,
    },
    db,
  );
}
