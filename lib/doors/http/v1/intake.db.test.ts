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
