import { database, type Database } from "@/db/client";
import { envelopeAnswer } from "@/lib/doors/http/surface/errors";
import { readJsonInput } from "@/lib/doors/http/surface/json-input";
import { keyCredential } from "@/lib/doors/http/surface/key-credential";
import { createSurfaceApp } from "@/lib/doors/http/surface/surface";
import { sessionCredential, toolCredential } from "./credential";
import { openApiDocument } from "./openapi";
import { bearerOperations } from "./operations";
import { canonicalPath } from "./paths";

/** Which credential a mount takes: an API key, the dashboard's session, or whatever the tool server takes. */
const credentials = { key: keyCredential, session: sessionCredential, tool: toolCredential };

/**
 * The bearer surface as a Hono app. `db` is the process's pool unless a test brings its own.
 */
export function createBearerApp(kind: keyof typeof credentials, db: () => Database = database) {
  return createSurfaceApp(
    {
      operations: bearerOperations,
      canonicalPath,
      credential: credentials[kind],
      // The tool server counts every message that it gets.
      countedBefore: kind === "tool",
      errorAnswer: envelopeAnswer,
      openDocuments: kind === "key" ? { "/v1/openapi.json": openApiDocument } : {},
      readInput: readJsonInput,
      refusesUndeclared: true,
    },
    db,
  );
}
