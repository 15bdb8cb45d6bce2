import { database, type Database } from "@/db/client";
import { createSurfaceApp } from "@/lib/doors/http/surface/surface";
import { platformCredential } from "./credential";
import { errorAnswer } from "./errors";
import { readInput, withoutEmpty } from "./input";
import { platformDocument } from "./openapi";
import { platformOperations } from "./operations";
import { canonicalPath } from "./paths";

/** The platform surface as a Hono app. `db` is the process's pool unless a test brings its own. */
export function createPlatformApp(db: () => Database = database) {
  return createSurfaceApp(
    {
      operations: platformOperations,
      canonicalPath,
      credential: platformCredential,
      errorAnswer,
      // Addresses of this surface contain the token: a Referer must not leak them.
      headers: { "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" },
      openDocuments: { "/openapi.json": platformDocument },
      readInput,
      readQuery: withoutEmpty,
      refusesUndeclared: false,
    },
    db,
  );
}
