import { sqlState } from "@/db/errors";
import { Dispatcher } from "@/lib/delivery/dispatcher";
import { createTransport } from "@/lib/delivery/transports/create";
import { log } from "@/lib/log";
import { periodicJobs, runWhenDue, type JobContext } from "./jobs";
import { Wake } from "./wake";

/**
 * Works until the signal aborts: mail as soon as it is due (Postgres says so, and a second's polling
 * finds what that missed), the other jobs once a period. `ready` is called when it listens.
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
  ready();
  await Promise.all([
    dispatcher.run(signal),
    ...periodicJobs.map((job) => repeat(job.name, job.everySeconds, context)),
  ]);
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
      log.error({ job: name, code: sqlState(error) ?? "unknown" }, "A job failed.");
    }
    await rest.wait(everySeconds * 1000, context.signal);
  }
}
