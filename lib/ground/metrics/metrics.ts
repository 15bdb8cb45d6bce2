import { Counter, Histogram, Registry } from "prom-client";

/*
 * What a process counts about its own work, in memory. Rates and sums over processes are left to whatever
 * scrapes them (bin/watch serves them). Labels are words of ours, never addresses, ids or paths as requested.
 */

interface Metrics {
  registry: Registry;
  requests: Histogram<"method" | "route" | "status">;
  accepted: Counter<"source">;
  attempts: Counter<"transport" | "provider" | "result">;
  reports: Counter<"kind" | "way">;
  domainReports: Counter<"kind" | "result">;
  webhookCalls: Counter<"result">;
  replicaReads: Counter<"result">;
}

function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: "lettermill_http_request_duration_seconds",
      help: "HTTP requests, from their head to the end of the answer, by route pattern.",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    accepted: new Counter({
      name: "lettermill_emails_accepted_total",
      help: "Emails taken on, by where they came from. Those of campaigns are counted as they are written down.",
      labelNames: ["source"],
      registers,
    }),
    attempts: new Counter({
      name: "lettermill_delivery_attempts_total",
      help: "Attempts that ended, by transport (none: not handed over), receiving provider and result: sent, deferred, bounced or failed.",
      labelNames: ["transport", "provider", "result"],
      registers,
    }),
    reports: new Counter({
      name: "lettermill_delivery_reports_total",
      help: "What others report of mail after it was sent, by kind and by way: mail, notification or provider.",
      labelNames: ["kind", "way"],
      registers,
    }),
    domainReports: new Counter({
      name: "lettermill_domain_reports_total",
      help: "DMARC and TLS reports that came in, by kind (dmarc or tls) and result: kept, repeated, or why not.",
      labelNames: ["kind", "result"],
      registers,
    }),
    webhookCalls: new Counter({
      name: "lettermill_webhook_calls_total",
      help: "Calls of webhooks that ended, by result: delivered or failed.",
      labelNames: ["result"],
      registers,
    }),
    replicaReads: new Counter({
      name: "lettermill_replica_reads_total",
      help: "Reads meant for the replica: replica; or on the primary since it was behind, failed, or the read writes.",
      labelNames: ["result"],
      registers,
    }),
  };
}

// Next instantiates modules more than once; one set of numbers per process is enough.
const holder = globalThis as { lettermillMetrics?: Metrics };

/** The process's own counters. */
export const metrics: Metrics = (holder.lettermillMetrics ??= createMetrics());
