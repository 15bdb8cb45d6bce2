import { collectDefaultMetrics, Gauge } from "prom-client";
import { sql } from "drizzle-orm";
import { connectionName, database, type Database } from "@/db/client";
import { mailLanes, readBacklog, type Backlog } from "@/lib/engine/jobs/backlog";
import { answerWithin } from "@/lib/ground/queue/answer-within";
import { env } from "@/lib/ground/env/env";
import { metrics } from "@/lib/ground/metrics/metrics";
import { releaseOf } from "./release";

const { registry } = metrics;
const registers = [registry];
/** A reading is valid this long: several scrapers cost no more than one. */
const holdsMilliseconds = 5_000;
/** A scrape has ten seconds by default: without a database it still gives what is known. */
const patienceMilliseconds = 6_000;

/** A slow reading is taken less often: it costs the database at most a twentieth of one core. */
const restsPerReading = 20;

/** Asks at most once per `holdsMilliseconds`; null while there is no answer, which is not kept. */
function kept<Answer>(ask: () => Promise<Answer>): () => Promise<Answer | null> {
  let latest: { until: number; answer: Promise<Answer | null> } | undefined;
  return () => {
    const began = performance.now();
    if (latest && began < latest.until) return latest.answer;
    const answer = answerWithin(patienceMilliseconds, ask()).catch(() => null);
    const asked = { until: Infinity, answer };
    latest = asked;
    void answer.then((known) => {
      const took = performance.now() - began;
      asked.until = began + Math.max(holdsMilliseconds, restsPerReading * took);
      if (known === null && latest === asked) latest = undefined;
    });
    return answer;
  };
}

/** This process's connections by what they do: each process has a name of its own for them. */
async function readConnections(db: Database) {
  return db.execute<{ state: string; count: number }>(sql`
    select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity
    where application_name = ${connectionName()} and datname = current_database() group by 1`);
}

/** What every program reports about itself. */
export function registerProcessGauges(program: string): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  new Gauge({
    name: "lettermill_info",
    help: "1; what runs stands in the labels.",
    labelNames: ["program", "version", "node"],
    registers,
  }).set({ program, version: releaseOf(), node: process.version }, 1);
  const reading = kept(() => readConnections(database()));
  new Gauge({
    name: "lettermill_database_connections",
    help: "Connections of this process to Postgres by state; none are told while the database is away.",
    labelNames: ["state"],
    registers,
    async collect() {
      const rows = await reading();
      this.reset();
      for (const { state, count } of rows ?? []) this.set({ state }, count);
    },
  });
  new Gauge({
    name: "lettermill_database_connections_max",
    help: "The most connections this process opens (DATABASE_POOL).",
    registers,
  }).set(env().DATABASE_POOL);
}

/** What waits in the whole installation; each worker reports the same. */
export function registerBacklogGauges(): void {
  const reading = kept(() => readBacklog(database()));
  const gauge = (
    name: string,
    help: string,
    fill: (gauge: Gauge<"lane">, backlog: Backlog) => void,
    labelNames: "lane"[] = [],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const backlog = await reading();
        this.reset();
        // A number that was not read must not be reported: a gap is what alerts can see.
        if (backlog) fill(this, backlog);
        else if (labelNames.length === 0) this.remove();
      },
    });
  const perLane =
    (figure: "count" | "oldestSeconds") => (lanes: Gauge<"lane">, backlog: Backlog) => {
      for (const lane of mailLanes) lanes.set({ lane }, backlog.mail[lane][figure]);
    };
  gauge("lettermill_queue_emails", "Emails that wait, by lane.", perLane("count"), ["lane"]);
  gauge(
    "lettermill_queue_oldest_seconds",
    "How long the email that is longest due has been due, by lane.",
    perLane("oldestSeconds"),
    ["lane"],
  );
  gauge("lettermill_webhook_deliveries", "Webhook deliveries that wait.", (gauge, { webhooks }) =>
    gauge.set(webhooks.count),
  );
  gauge(
    "lettermill_webhook_lag_seconds",
    "How long the webhook delivery that is longest due has been due.",
    (gauge, { webhooks }) => gauge.set(webhooks.oldestSeconds),
  );
  gauge("lettermill_mail_held", "1 while no worker begins mail.", (gauge, { held }) =>
    gauge.set(held ? 1 : 0),
  );
}
