import { Hono } from "hono";
import { database } from "@/db/client";
import { env } from "@/lib/ground/env/env";
import { AppError } from "@/lib/ground/errors";
import { equalSecrets } from "@/lib/ground/secrets";
import { jobNames, runJob } from "@/lib/engine/jobs/jobs";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import type { NodeBindings } from "./surface/client-address";
import { adviceHeaders, errorEnvelope, httpStatuses } from "./surface/errors";
import { requestIdOf } from "./surface/request-record";

/** The longest that one call may work; the next tick does what is left. */
const boundedSeconds = 50;

/**
 * `GET|POST /api/cron/{job}` with `Authorization: Bearer CRON_SECRET`: one bounded run of a job from
 * the worker's table, for installations where no worker can run. `tick` runs everything that is due.
 */
export function createCronApp() {
  const app = new Hono<{ Bindings: NodeBindings }>({ strict: false });
  app.all("/api/cron/:job", async (c) => {
    const requestId = requestIdOf(c.req.raw, c.env);
    c.header("x-request-id", requestId);
    c.header("cache-control", "no-store");
    try {
      const secret = env().CRON_SECRET;
      const header = c.req.header("authorization");
      if (!header)
        throw new AppError(
          "MISSING_AUTH",
          "The Authorization header is missing. Send `Authorization: Bearer <CRON_SECRET>`.",
        );
      const presented = /^Bearer +([^ ].*)$/i.exec(header)?.[1] ?? "";
      if (!secret || !equalSecrets(presented, secret)) {
        throw new AppError("INVALID_API_KEY", "The token is not the value of CRON_SECRET.");
      }
      if (!["GET", "POST"].includes(c.req.method)) {
        c.header("allow", "GET, POST");
        throw new AppError("METHOD_NOT_ALLOWED", "Cron jobs take GET and POST only.");
      }
      const job = jobNames.find((name) => name === c.req.param("job"));
      if (!job)
        throw new AppError("NOT_FOUND", `There is no such job. Jobs: ${jobNames.join(", ")}.`);
      const signal = AbortSignal.any([
        c.req.raw.signal,
        AbortSignal.timeout(boundedSeconds * 1000),
      ]);
      return c.json({ success: true, jobs: await runJob(job, { db: database(), signal }) });
    } catch (thrown) {
      const error = toAppError(thrown, requestId);
      return c.json(
        errorEnvelope(error, requestId),
        httpStatuses[error.code],
        adviceHeaders(error),
      );
    }
  });
  return app;
}
