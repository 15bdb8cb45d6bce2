import { beforeAll, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createBearerApp } from "@/lib/doors/http/v1/app";
import { makeProject } from "@/lib/testing";
import { bearerClient, mail } from "@/lib/testing/bearer";

const database = useTestDatabase();
const app = createBearerApp("key", () => database.db);
const large = 30_000_000;
const body = JSON.stringify(mail);
let keys: string[] = [];

beforeAll(async () => {
  keys = [];
  for (let n = 0; n < 2; n++) keys.push((await makeProject(database.db)).apiKey);
});

/** A send that says it is large and whose body comes when it is told to. */
function slowSend(key: string | undefined) {
  let finish = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      finish = () => {
        controller.enqueue(new TextEncoder().encode(body));
        controller.close();
      };
    },
  });
  const init = {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-length": `${large}` },
    body: stream,
    // Node wants it beside a stream, the browser's type does not know it.
    duplex: "half",
  };
  const request = new Request("http://localhost/v1/send", init);
  return { answer: Promise.resolve(app.fetch(request)), finish: () => finish() };
}

it("a project's large bodies wait for each other, then are told to come again; others are served", async () => {
  const [first, second] = [slowSend(keys[0]), slowSend(keys[0])];
  const started = performance.now();
  const beside = await bearerClient(keys[1] ?? "")("POST", "/v1/send", mail);
  const own = await bearerClient(keys[0] ?? "")("POST", "/v1/send", mail);
  expect([beside.status, own.status]).toEqual([200, 200]);
  const other = slowSend(keys[1]);
  other.finish();
  expect((await other.answer).status).toBe(200);
  // What is refused has waited, and its body was never read.
  const refused = await second.answer;
  expect(performance.now() - started).toBeGreaterThan(4_000);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ error: { code: "UNAVAILABLE", statusCode: 503 } });
  const third = slowSend(keys[0]);
  third.finish();
  first.finish();
  expect((await first.answer).status).toBe(200);
  expect((await third.answer).status).toBe(200);
});

/** A send of this many bytes, of which only the beginning comes. */
function trickling(key: string | undefined, declared: number, beginning: number) {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(beginning).fill(0x20)),
  });
  const headers = { authorization: `Bearer ${key}`, "content-length": `${declared}` };
  const init = { method: "POST", headers, body, duplex: "half" };
  return Promise.resolve(app.fetch(new Request("http://localhost/v1/send", init)));
}

async function threeKeys(): Promise<string[]> {
  const projects = await Promise.all([1, 2, 3].map(() => makeProject(database.db)));
  return projects.map(({ apiKey }) => apiKey);
}

/** How long a small send takes. */
async function answeredAfter(key: string | undefined): Promise<number> {
  const began = performance.now();
  const headers = { "content-length": `${Buffer.byteLength(body)}` };
  expect((await bearerClient(key ?? "")("POST", "/v1/send", body, headers)).status).toBe(200);
  return performance.now() - began;
}

it("128 small bodies of two projects that trickle in keep nobody waiting", async () => {
  const [first, second, third] = await threeKeys();
  for (let n = 0; n < 128; n++) void trickling(n % 2 === 0 ? first : second, 256 * 1024, 1);
  for (const key of [first, second, third]) expect(await answeredAfter(key)).toBeLessThan(4_500);
});

it("what nearly came gives way to others' bodies, of the projects that hold most", async () => {
  const [first, second, third] = await threeKeys();
  const slow = Array.from({ length: 140 }, (_, n) =>
    trickling(n % 2 === 0 ? first : second, 256 * 1024, 250_000),
  );
  // What is small is there within a second, or it has to give way.
  await answeredAfter(third);
  for (let n = 0; n < 5; n++) expect(await answeredAfter(third)).toBeLessThan(4_500);
  const refused = await Promise.race(slow);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
});

it("large bodies that are announced and do not come give way to what is less", async () => {
  const [first, second, third] = await threeKeys();
  const slow = [first, second].map((key) => trickling(key, 40_000_000, 1_000_000));
  const other = slowSend(third);
  other.finish();
  expect((await other.answer).status).toBe(200);
  expect((await Promise.race(slow)).status).toBe(503);
});

it("a body of unknown length counts as small until it is large", async () => {
  const [first, second, third] = await threeKeys();
  for (const key of [first, first, second, second]) {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1_000).fill(0x20)),
    });
    const headers = { authorization: `Bearer ${key}`, "transfer-encoding": "chunked" };
    const init = { method: "POST", headers, body: stream, duplex: "half" };
    void app.fetch(new Request("http://localhost/v1/send", init));
  }
  const began = performance.now();
  const other = slowSend(third);
  other.finish();
  expect((await other.answer).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(4_500);
});

/** What claims to be large, and is over at once. */
const brokenSend = (key: string | undefined) =>
  app.fetch(
    new Request("http://localhost/v1/send", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-length": `${large}` },
      body: "{",
    }),
  );

it("room is given back whatever comes of a request", async () => {
  const projects = await Promise.all(Array.from({ length: 6 }, () => makeProject(database.db)));
  for (let turn = 0; turn < 12; turn++) {
    expect((await brokenSend(projects[turn % projects.length]?.apiKey)).status).toBe(400);
  }
});

it("a project's large bodies are worked on at a pace, another's are not held up by them", async () => {
  const [busy, quiet] = [await makeProject(database.db), await makeProject(database.db)];
  const seconds = async ({ apiKey }: { apiKey: string }) => {
    const started = performance.now();
    expect((await brokenSend(apiKey)).status).toBe(400);
    return (performance.now() - started) / 1_000;
  };
  // 60,000,000 bytes: 48 MB pass at once, the rest at 16 MB a second, which takes 0.58 s.
  await seconds(busy);
  const [second, other] = await Promise.all([seconds(busy), seconds(quiet)]);
  expect(second).toBeGreaterThan(0.5);
  expect(other).toBeLessThan(second);
});
