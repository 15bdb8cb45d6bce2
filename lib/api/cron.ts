import { Hono } from "hono";
import { database } from "@/db/client";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { equalSecrets } from "@/lib/secrets";
import { toAppError } from "@/lib/unforeseen";
import { jobNames, runJob } from "@/lib/work/jobs";
import { errorEnvelope, httpStatuses } from "./errors";

/** How long one call works at most; what is left is the next tick's. */
const boundedSeconds = 50;

/**
 * `GET|POST /api/cron/{job}` with `Authorization: Bearer CRON_SECRET`: one bounded run of a job of the
 * worker's table, for installations where no worker can run. `tick` runs all.
 */
export function createCronApp() {
  const app = new Hono();
  app.on(["GET", "POST"], "/api/cron/:job", async (c) => {
    const requestId = crypto.randomUUID();
    try {
      const secret = env().CRON_SECRET;
      const given = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
      if (!secret || !given || !equalSecrets(given, secret)) {
        throw new AppError("MISSING_AUTH", "Send `Authorization: Bearer CRON_SECRET`.");
      }
      const job = jobNames.find((name) => name === c.req.param("job"));
      if (!job) throw new AppError("NOT_FOUND", `Jobs are ${jobNames.join(", ")}.`);
      const signal = AbortSignal.any([
        c.req.raw.signal,
        AbortSignal.timeout(boundedSeconds * 1000),
      ]);
      return c.json({ success: true, job, result: await runJob(job, { db: database(), signal }) });
    } catch (thrown) {
      const error = toAppError(thrown, requestId);
      return c.json(errorEnvelope(error, requestId), httpStatuses[error.code]);
    }
  });
  return app;
}
