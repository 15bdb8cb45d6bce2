import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { jobRuns } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { advanceCampaigns, type AdvanceSummary } from "@/lib/engine/campaigns/advance";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { partOfWorker } from "@/lib/engine/sending/part";
import { createTransport } from "@/lib/engine/transports/create";
import { learnReceivers } from "@/lib/domain/receivers/learn";
import { keepSesIdentities } from "@/lib/domain/sending-domains/ses-work";
import { checkDueDomains } from "@/lib/domain/sending-domains/verify";
import { takeOverImports } from "@/lib/engine/imports/apply-rows";
import { moveMergedMail } from "@/lib/domain/contact-merges/move-mail";
import { eraseLateMail } from "@/lib/domain/contacts/erase-late-mail";
import { countDueSurveys } from "@/lib/domain/contact-fields/survey";
import { runBulkChanges } from "@/lib/engine/bulk-changes/run";
import { countDueSegments } from "@/lib/domain/segments/count";
import { sendTeamLetters } from "@/lib/engine/team-letters/send";
import { runWarmups, type WarmupSummary } from "@/lib/engine/warm-up/warm-up";
import { WebhookDeliverer } from "@/lib/engine/webhooks/deliverer";
import { cleanUp } from "./cleanup";
import { deleteProjects } from "./delete-projects";
import { traced } from "@/lib/ground/traces/traces";

/** What a job gets: it works until nothing is left to do or the signal aborts, and then returns soon. */
export interface JobContext {
  db: Database;
  signal: AbortSignal;
}

interface Job {
  run(context: JobContext): Promise<unknown>;
  /** How often one of the workers runs it; null: all of them run it all the time. */
  everySeconds: number | null;
}

/** The work that is not done by any request. Workers loop over it, cron calls run one bounded piece of it. */
const table = {
  dispatch: {
    run: ({ db, signal }) =>
      new Dispatcher({ db, transport: createTransport(), part: partOfWorker() }).run(signal, {
        untilEmpty: true,
      }),
    everySeconds: null,
  },
  campaigns: {
    run: ({ db, signal }) => advanceCampaigns(db, signal),
    everySeconds: null,
  },
  warmup: { run: ({ db, signal }) => runWarmups(db, signal), everySeconds: 10 },
  receivers: {
    run: async ({ db, signal }) => ({ learned: await learnReceivers(db, signal) }),
    everySeconds: 10,
  },
  webhooks: {
    run: ({ db, signal }) => new WebhookDeliverer({ db }).run(signal, { untilEmpty: true }),
    everySeconds: null,
  },
  domains: {
    run: async ({ db, signal }) => ({ checked: await checkDueDomains(db, { signal }) }),
    everySeconds: 15,
  },
  sesIdentities: {
    run: async ({ db, signal }) => ({ kept: await keepSesIdentities(db, { signal }) }),
    everySeconds: 15,
  },
  imports: {
    run: async ({ db, signal }) => ({ rows: await takeOverImports(db, { signal }) }),
    everySeconds: 2,
  },
  bulkChanges: {
    run: async ({ db, signal }) => ({ changed: await runBulkChanges(db, signal) }),
    everySeconds: 2,
  },
  mergedMail: {
    run: async ({ db, signal }) => ({ contacts: await moveMergedMail(db, signal) }),
    everySeconds: 15,
  },
  lateMail: {
    run: async ({ db, signal }) => ({ contacts: await eraseLateMail(db, signal) }),
    everySeconds: 15,
  },
  surveys: {
    run: async ({ db, signal }) => ({ counted: await countDueSurveys(db, signal) }),
    everySeconds: 2,
  },
  segments: {
    run: async ({ db, signal }) => ({ counted: await countDueSegments(db, signal) }),
    everySeconds: 5,
  },
  teamLetters: {
    run: async ({ db, signal }) => ({ sent: await sendTeamLetters(db, signal) }),
    everySeconds: 10,
  },
  deletions: { run: ({ db, signal }) => deleteProjects(db, signal), everySeconds: 5 },
  cleanup: { run: ({ db, signal }) => cleanUp(db, signal), everySeconds: 3_600 },
} satisfies Record<string, Job>;

type JobName = keyof typeof table;

const jobs = Object.entries(table) as [JobName, Job][];

/** Names that runJob accepts: each job, and `tick` for everything that is due. */
export const jobNames: readonly (JobName | "tick")[] = [...jobs.map(([name]) => name), "tick"];

/** Jobs that run once per period, by whichever worker comes first. */
export const periodicJobs = jobs.flatMap(([name, { everySeconds }]) =>
  everySeconds === null ? [] : [{ name, everySeconds }],
);

/** One run of a job by name; resolves to its report of what it did. */
export async function runJob(
  name: JobName | "tick",
  context: JobContext,
): Promise<Record<string, unknown>> {
  if (name !== "tick") return { [name]: await recorded(name, context) };
  const results = await Promise.all(
    jobs.map(async ([job, { everySeconds }]) => [
      job,
      everySeconds === null ? await recorded(job, context) : await runWhenDue(job, context),
    ]),
  );
  const summary = Object.fromEntries(results) as Record<JobName, unknown>;
  const { recipients } = summary.campaigns as AdvanceSummary;
  const released = (summary.warmup as WarmupSummary | null)?.released ?? 0;
  if (recipients + released > 0 && !context.signal.aborted) {
    // Mail of a campaign that began, or that was let out, in this tick need not wait for the next.
    for (const job of ["dispatch", "campaigns"] as const) {
      summary[job] = added(
        summary[job] as Record<string, number>,
        (await recorded(job, context)) as Record<string, number>,
      );
    }
  }
  return summary;
}

function added(first: Record<string, number>, second: Record<string, number>) {
  return Object.fromEntries(
    Object.entries(first).map(([name, count]) => [name, count + (second[name] ?? 0)]),
  );
}

const startedAgain = {
  startedAt: now,
  finishedAt: null,
  ok: null,
  runs: sql`${jobRuns.runs} + 1`,
};

/** Runs a periodic job when its period is over; null when another process has run it meanwhile. */
export async function runWhenDue(name: JobName, context: JobContext): Promise<unknown> {
  const { everySeconds } = table[name] as Job;
  const started = await context.db
    .insert(jobRuns)
    .values({ job: name, runs: 1 })
    .onConflictDoUpdate({
      target: jobRuns.job,
      set: startedAgain,
      setWhere: sql`${jobRuns.startedAt} <=
        app_now() - make_interval(secs => ${everySeconds ?? 0}::float8)`,
    })
    .returning({ job: jobRuns.job });
  return started.length === 0 ? null : finished(name, context);
}

async function recorded(name: JobName, context: JobContext): Promise<unknown> {
  await context.db
    .insert(jobRuns)
    .values({ job: name, runs: 1 })
    .onConflictDoUpdate({ target: jobRuns.job, set: startedAgain });
  return finished(name, context);
}

async function finished(name: JobName, context: JobContext): Promise<unknown> {
  let ok = false;
  try {
    const result = await traced(`job ${name}`, {}, () => Promise.resolve(table[name].run(context)));
    ok = true;
    return result;
  } finally {
    await context.db.update(jobRuns).set({ finishedAt: now, ok }).where(eq(jobRuns.job, name));
  }
}
