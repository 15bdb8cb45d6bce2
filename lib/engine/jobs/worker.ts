import { join } from "node:path";
import { errorCode } from "@/db/errors";
import { listen } from "@/db/listen";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { partOfWorker } from "@/lib/engine/sending/part";
import { createTransport } from "@/lib/engine/transports/create";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { WebhookDeliverer } from "@/lib/engine/webhooks/deliverer";
import { periodicJobs, runWhenDue, type JobContext } from "./jobs";
import { Wake } from "@/lib/ground/queue/wake";

/** A campaign's schedule is kept to a second. */
const campaignPollMilliseconds = 1_000;

/**
 * Works until the signal aborts: mail, campaigns and webhooks as soon as they are due (Postgres notifies us, and
 * polling every second finds what that missed), the other jobs once per period. `ready` is called once it is
 * listening.
 */
export async function runWorker(context: JobContext, ready: () => void): Promise<void> {
  const { db, signal } = context;
  const dispatcher = new Dispatcher({
    db,
    transport: createTransport(),
    part: partOfWorker(),
    witnessFile: join(env().DATA_DIR, "witness.json"),
  });
  const campaignsDue = new Wake();
  const deliverer = new WebhookDeliverer({ db });
  const stopListening = await listen(db, {
    emails_due: () => dispatcher.notify(),
    campaigns_due: () => campaignsDue.notify(),
    webhooks_due: () => deliverer.notify(),
  });
  if (!stopListening) {
    log.warn(
      "There is a connection pooler in front of the database, so due work is found up to a second late. Set DATABASE_DIRECT_URL to avoid that.",
    );
  }
  ready();
  try {
    await Promise.all([
      dispatcher.run(signal),
      deliverer.run(signal),
      advanceAlways(context, campaignsDue),
      ...periodicJobs.map((job) => repeat(job.name, job.everySeconds, context)),
    ]);
  } finally {
    await stopListening?.();
  }
}

async function advanceAlways({ db, signal }: JobContext, due: Wake): Promise<void> {
  while (!signal.aborted) {
    try {
      await advanceCampaigns(db, signal);
    } catch (error) {
      log.error({ job: "campaigns", code: errorCode(error) }, "A job failed.");
    }
    await due.wait(campaignPollMilliseconds, signal);
  }
}

async function repeat(
  name: (typeof periodicJobs)[number]["name"],
  everySeconds: number,
  context: JobContext,
): Promise<void> {
  const rest = new Wake();
  while (!context.signal.aborted) {
    try {
      await runWhenDue(name, context);
    } catch (error) {
      log.error({ job: name, code: errorCode(error) }, "A job failed.");
    }
    await rest.wait(everySeconds * 1000, context.signal);
  }
}
