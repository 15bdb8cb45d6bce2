import { errorCode } from "@/db/errors";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { createTransport } from "@/lib/engine/transports/create";
import { log } from "@/lib/ground/log";
import { WebhookDeliverer } from "@/lib/engine/webhooks/deliverer";
import { periodicJobs, runWhenDue, type JobContext } from "./jobs";
import { Wake } from "@/lib/ground/queue/wake";

/** A campaign's schedule is kept to a second. */
const campaignPollMilliseconds = 1_000;

/**
 * Works until the signal aborts: mail, campaigns and webhooks as soon as they are due (Postgres says
 * so, and a second's polling finds what that missed), the other jobs once a period. `ready` is called
 * when it listens.
 */
export async function runWorker(context: JobContext, ready: () => void): Promise<void> {
  const { db, signal } = context;
  const dispatcher = new Dispatcher({ db, transport: createTransport() });
  // Also after the connection was lost and made again: what came meanwhile is looked for. It ends with
  // the pool: taking it back would wait for a database that may be gone.
  await db.$client.listen(
    "emails_due",
    () => dispatcher.notify(),
    () => dispatcher.notify(),
  );
  const campaignsDue = new Wake();
  const wakeCampaigns = () => campaignsDue.notify();
  await db.$client.listen("campaigns_due", wakeCampaigns, wakeCampaigns);
  const deliverer = new WebhookDeliverer({ db });
  const wakeDeliverer = () => deliverer.notify();
  await db.$client.listen("webhooks_due", wakeDeliverer, wakeDeliverer);
  ready();
  await Promise.all([
    dispatcher.run(signal),
    deliverer.run(signal),
    advanceAlways(context, campaignsDue),
    ...periodicJobs.map((job) => repeat(job.name, job.everySeconds, context)),
  ]);
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
