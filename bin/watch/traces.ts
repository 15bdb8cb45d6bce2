import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { context, propagation, trace, type TracerProvider } from "@opentelemetry/api";
import { database } from "@/db/client";
import { traceStatements } from "@/db/traced-statements";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { beginStatement, collectTraces, tracerName } from "@/lib/ground/traces/traces";
import { releaseOf } from "./release";

/** How long the end of a program waits for a collector that does not answer. */
const lastExportMilliseconds = 2_000;

/** Next, drizzle and others make spans as well, with paths and values in them: those are not collected. */
function oursAlone(provider: TracerProvider): TracerProvider {
  const nobodys = trace.getTracerProvider();
  return {
    getTracer: (name, ...more) =>
      (name === tracerName ? provider : nobodys).getTracer(name, ...more),
  };
}

/**
 * Sends spans to OTEL_EXPORTER_OTLP_ENDPOINT; null where none is set, and then nothing of this is loaded. The exporter
 * reads its other settings itself (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
 */
export async function startTraces(
  program: string,
  { exportMilliseconds = 5_000 } = {},
): Promise<{ stop: () => Promise<void> } | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG, OTEL_SERVICE_NAME } = env();
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, core, resources] =
    await Promise.all([
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/context-async-hooks"),
      import("@opentelemetry/core"),
      import("@opentelemetry/resources"),
    ]);
  core.setGlobalErrorHandler((error) => {
    log.warn({ name: typeof error === "string" ? error : error.name }, "Traces could not be sent.");
  });
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      "service.namespace": "lettermill",
      "service.name": OTEL_SERVICE_NAME ?? `lettermill-${program}`,
      "service.version": releaseOf(),
      "service.instance.id": randomUUID(),
      "host.name": hostname(),
      "process.pid": process.pid,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(OTEL_TRACES_SAMPLER_ARG),
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: exportMilliseconds,
      }),
    ],
  });
  trace.setGlobalTracerProvider(oursAlone(provider));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  traceStatements(database().$client, beginStatement);
  collectTraces();
  return {
    stop: () =>
      Promise.race([
        provider.shutdown().catch(() => {}),
        new Promise<void>((resolve) => setTimeout(resolve, lastExportMilliseconds).unref()),
      ]),
  };
}
