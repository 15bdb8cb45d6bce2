import { database, type Database } from "@/db/client";
import { readJsonInput } from "@/lib/doors/http/surface/json-input";
import { keyCredential } from "@/lib/doors/http/surface/key-credential";
import { createSurfaceApp } from "@/lib/doors/http/surface/surface";
import { errorAnswer } from "./errors";
import { resendOperations } from "./operations";
import { canonicalPath } from "./paths";

/** The surface for Resend's clients as a Hono app. `db` is the process's pool unless a test brings its own. */
export function createResendApp(db: () => Database = database) {
  return createSurfaceApp(
    {
      operations: resendOperations,
      canonicalPath,
      credential: keyCredential,
      errorAnswer,
      openDocuments: {},
      readInput: readJsonInput,
      refusesUndeclared: true,
    },
    db,
  );
}
