import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { close } from "@/bin/web/listen";
import { startWebServer } from "@/bin/web/test-server";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { makeProject, type TestProject } from "@/lib/testing";
import { verifiedDomain } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { startTraces } from "./traces";

/** A span as OTLP over HTTP with JSON carries it. */
interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}
interface Sent {
  resourceSpans: {
    resource: Pick<Span, "attributes">;
    scopeSpans: { scope: { name: string }; spans: Span[] }[];
  }[];
}

const database = useTestDatabase();
const { mailServer, dispatch } = useMailServers(database);
let collector: Server;
let web: Server;
let origin: string;
let project: TestProject;
let traces: NonNullable<Awaited<ReturnType<typeof startTraces>>>;
const bodies: string[] = [];
const sent = () =>
  bodies.map((body) => JSON.parse(body) as Sent).flatMap((one) => one.resourceSpans);
const spans = () => sent().flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans));
const valueOf = (span: Pick<Span, "attributes"> | undefined, key: string) =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];
const spanOf = (name: string, traceId?: string) =>
  until(() => spans().find((one) => one.name === name && (!traceId || one.traceId === traceId)), {
    what: `the span ${name}`,
  });

beforeAll(async () => {
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === "/v1/traces") bodies.push(body);
      response.setHeader("content-type", "application/json").end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as { port: number };
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = `http://127.0.0.1:${port}`;
  reloadEnv();
  const started = await startTraces("web", { exportMilliseconds: 50 });
  if (!started) throw new Error("Nothing is traced.");
  traces = started;
  project = await makeProject(database.db);
  ({ server: web, origin } = await startWebServer());
});
afterAll(async () => {
  await traces.stop();
  await close(web);
  collector.close();
  delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  reloadEnv();
});

const foreign = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const ask = (path: string, init: RequestInit = {}) =>
  fetch(origin + path, {
    ...init,
    headers: {
      authorization: `Bearer ${project.apiKey}`,
      "content-type": "application/json",
      traceparent: `00-${foreign.traceId}-${foreign.spanId}-01`,
    },
  });

test("a request is a trace with its statements, and no part of a stranger's", async () => {
  const answer = await ask("/v1/contacts?limit=1");
  expect(answer.status).toBe(200);
  const request = await spanOf("GET /v1/contacts");
  expect(request).toMatchObject({ kind: 2 });
  expect(request.traceId).not.toBe(foreign.traceId);
  expect(request.parentSpanId).toBeUndefined();
  expect(valueOf(request, "http.response.status_code")).toBe(200);
  expect(valueOf(request, "lettermill.request.id")).toBe(answer.headers.get("x-request-id"));
  const statement = await spanOf("select", request.traceId);
  expect(statement).toMatchObject({ kind: 3 });
  expect(valueOf(statement, "db.system.name")).toBe("postgresql");
  const [first] = sent();
  expect(valueOf(first?.resource, "service.name")).toBe("lettermill-web");
});

test("behind a trusted proxy it is a part of the proxy's trace", async () => {
  process.env["TRUSTED_PROXIES"] = "127.0.0.1";
  reloadEnv();
  await ask("/v1/domains");
  const request = await spanOf("GET /v1/domains");
  expect(request).toMatchObject({ traceId: foreign.traceId, parentSpanId: foreign.spanId });
  delete process.env["TRUSTED_PROXIES"];
  reloadEnv();
});

test("each email is a trace from its claim to its recorded result, and none holds an address, a key or a value", async () => {
  const domain = "shop.example.com";
  await verifiedDomain(database.db, project.projectId, domain);
  const to = ["ada.lovelace@example.org", "grace.hopper@example.org"];
  const answer = await ask("/v1/send", {
    method: "POST",
    body: JSON.stringify({ from: `shop@${domain}`, to, subject: "Your secret", body: "<p>It</p>" }),
  });
  expect(answer.status).toBe(200);
  await dispatch((await mailServer()).url);
  const deliveries = await until(
    () => {
      const all = spans().filter(({ name }) => name === "deliver mail");
      return all.length === to.length ? all : null;
    },
    { what: "a span for each email" },
  );
  expect(new Set(deliveries.map(({ traceId }) => traceId)).size).toBe(to.length);
  for (const delivery of deliveries) {
    expect(delivery.parentSpanId).toBeUndefined();
    expect(valueOf(delivery, "lettermill.outcome")).toBe("SENT");
    const steps = spans().filter(({ parentSpanId }) => parentSpanId === delivery.spanId);
    for (const name of ["render mail", "build mail", "hand mail over", "record result"]) {
      expect(steps.map((step) => step.name)).toContain(name);
    }
  }
  const everything = bodies.join("\n");
  for (const secret of [project.apiKey, ...to, "Your secret", "Bearer"]) {
    expect(everything).not.toContain(secret);
  }
});

test("what fails says so by a code alone, and what machines ask for all the time makes no trace", async () => {
  const before = spans().length;
  await fetch(`${origin}/healthz`);
  const refused = await ask("/v1/contacts/con_nobody");
  expect(refused.status).toBe(404);
  const request = await spanOf("GET /v1/contacts/{id}");
  expect(request.status.code).not.toBe(2);
  expect(
    spans()
      .slice(before)
      .filter(({ name }) => name.includes("healthz")),
  ).toEqual([]);
});

test("a collector that is away changes nothing for callers, and does not hold up the end", async () => {
  collector.closeAllConnections();
  collector.close();
  expect((await ask("/v1/contacts?limit=1")).status).toBe(200);
  const began = performance.now();
  await traces.stop();
  expect(performance.now() - began).toBeLessThan(8_000);
}, 15_000);
