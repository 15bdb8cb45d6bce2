import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from "@opentelemetry/api";
import { errorCode } from "@/db/errors";

/** What a span is about: ids, counts and patterns, never an address, a token or what somebody wrote. */
export type { Attributes, Span };

export const tracerName = "lettermill";
const tracer = trace.getTracer(tracerName);
// Next bundles this file a second time.
const holder = globalThis as { lettermillTraces?: true };

/** Says that spans are collected; before that, nothing is measured. */
export function collectTraces(): void {
  holder.lettermillTraces = true;
}

/** Whether spans are collected: OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export function isTracing(): boolean {
  return holder.lettermillTraces === true;
}

interface SpanOptions {
  /** Other than work within the process. */
  kind?: "server" | "client" | "consumer";
  attributes?: Attributes;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

function start(name: string, { kind, attributes = {} }: SpanOptions, parent: Context): Span {
  return tracer.startSpan(name, { kind: kinds[kind ?? "internal"], attributes }, parent);
}

/** Ends a span that failed, with the error's code: its words may hold people's addresses. */
function fail(span: Span, error: unknown): void {
  span.setAttribute("error.type", errorCode(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

async function inSpan<Result>(
  span: Span,
  parent: Context,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

const none = trace.wrapSpanContext({ traceId: "", spanId: "", traceFlags: 0 });

/** Does work in a trace of its own. What is under way may start other work, which is no part of it. */
export function traced<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return work(none);
  return inSpan(start(name, options, ROOT_CONTEXT), ROOT_CONTEXT, work);
}

/** Does work as a step of the trace under way; where none is, it is not measured. */
export function tracedStep<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = context.active();
  if (!isTracing() || !trace.getSpan(parent)) return work(none);
  return inSpan(start(name, options, parent), parent, work);
}

/** A request that is answered in a trace. */
export interface RequestSpan {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Does work as a part of the trace. */
  within: <Result>(work: () => Result) => Result;
  end: (route: string, method: string, status: number) => void;
}

/**
 * Begins the span of a request; null where none are collected.
 *
 * @param headers where a trace begun elsewhere stands (`traceparent`, W3C Trace Context); absent: the caller is nobody
 *   whose trace this may be a part of
 */
export function beginRequest(
  headers: Record<string, string | string[] | undefined> | undefined,
  attributes: Attributes,
): RequestSpan | null {
  if (!isTracing()) return null;
  const parent = headers ? propagation.extract(ROOT_CONTEXT, headers) : ROOT_CONTEXT;
  const span = start("request", { kind: "server", attributes }, parent);
  const own = trace.setSpan(parent, span);
  return {
    traceId: span.spanContext().traceId,
    within: (work) => context.with(own, work),
    end: (route, method, status) => {
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Begins the span of a statement; null where no trace is under way. */
export function beginStatement(text: string): ((error?: unknown) => void) | null {
  if (!isTracing() || !trace.getActiveSpan()) return null;
  const words = text.trim().slice(0, longestStatement);
  const attributes = { "db.system.name": "postgresql", "db.query.text": words };
  const verb = /^\w+/.exec(words)?.[0].toLowerCase() ?? "statement";
  const span = start(verb, { kind: "client", attributes }, context.active());
  return (error) => {
    if (error !== undefined) fail(span, error);
    span.end();
  };
}

/** Characters; those of the engine have several thousand. */
const longestStatement = 500;
