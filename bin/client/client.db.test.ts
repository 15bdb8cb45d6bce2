import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { close, listen } from "@/bin/web/listen";
import { startWebServer } from "@/bin/web/test-server";
import { useTestDatabase } from "@/db/testing";
import { signatureHeaders } from "@/lib/engine/webhooks/sign";
import { makeProject } from "@/lib/testing";
import { buildClient, clientFolder, compile } from "./build";

const database = useTestDatabase();

/** The package as it is published has no types here: it is made by this test. */
interface Answer {
  data?: Record<string, never>;
  error?: { error: { code: string; message: string } };
  response: Response;
}
type Call = (path: string, options?: object) => Promise<Answer>;
interface Package {
  createLettermill: (options: object) => { GET: Call; POST: Call; DELETE: Call };
}
interface Webhooks {
  verifyWebhook: (secret: string, body: string, headers: object) => { type: string };
}

let client: Package;
let webhooks: Webhooks;
let server: Server;
let url: string;
let apiKey: string;

beforeAll(async () => {
  await buildClient();
  const load = (file: string) => import(pathToFileURL(join(clientFolder, "dist", file)).href);
  client = (await load("index.js")) as Package;
  webhooks = (await load("webhooks.js")) as Webhooks;
  ({ apiKey } = await makeProject(database.db));
  ({ server, origin: url } = await startWebServer());
}, 120_000);
afterAll(() => server && close(server));

const body = {
  from: "hello@sandbox.test",
  to: "ada@example.org",
  subject: "Your order",
  body: "<p>It is on its way.</p>",
};

test("sends, reads and says what is wrong", async () => {
  const lettermill = client.createLettermill({ apiKey, url: `${url}/` });
  const sent = await lettermill.POST("/v1/send", { body });
  expect([sent.error, sent.response.status]).toEqual([undefined, 200]);
  const { data } = await lettermill.GET("/v1/emails", { params: { query: { limit: 1 } } });
  expect(data).toMatchObject({ data: [{ subject: "Your order" }] });
  const refused = await lettermill.POST("/v1/send", { body: { ...body, to: "nobody" } });
  expect(refused.error?.error).toMatchObject({ code: "VALIDATION_ERROR" });
  const foreign = client.createLettermill({ apiKey: "sk_live_wrong", url });
  expect((await foreign.GET("/v1/emails")).error?.error.code).toBe("INVALID_API_KEY");
});

test("what was sent and not answered is tried again, and sent once", async () => {
  // The first answer is lost on the way.
  let lost = 0;
  const fetch = async (request: Request) => {
    const response = await globalThis.fetch(request);
    if (request.method === "POST" && lost++ === 0) throw new TypeError("fetch failed");
    return response;
  };
  const lettermill = client.createLettermill({ apiKey, url, fetch });
  const { response } = await lettermill.POST("/v1/send", { body: { ...body, subject: "Once" } });
  expect([response.status, lost]).toEqual([200, 2]);
  const { data } = await lettermill.GET("/v1/emails");
  const log = (data as unknown as { data: { subject: string }[] }).data;
  expect(log.filter(({ subject }) => subject === "Once")).toHaveLength(1);
});

/** Answers as it is told, in turn, and keeps what it was asked. */
async function scripted(...answers: { status: number; after?: string }[]) {
  const asked: IncomingMessage[] = [];
  const busy = createServer((request, response) => {
    const { status, after } = answers[asked.push(request) - 1] ?? { status: 200 };
    request.resume();
    response.writeHead(status, {
      "content-type": "application/json",
      ...(after === undefined ? {} : { "retry-after": after }),
    });
    response.end("{}");
  });
  const port = await listen(busy, 0, "127.0.0.1");
  return { asked, url: `http://127.0.0.1:${port}`, stop: () => close(busy) };
}

test("a busy server is asked again when it says, as often as was agreed", async () => {
  const busy = { status: 503, after: "0" };
  const { asked, url: busyUrl, stop } = await scripted(busy, { ...busy, status: 429 }, busy, busy);
  const lettermill = client.createLettermill({ apiKey, url: busyUrl });
  expect((await lettermill.POST("/v1/send", { body })).response.status).toBe(503);
  const keys = asked.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
  await stop();
});

test("what would happen twice is not tried again", async () => {
  const { asked, url: busyUrl, stop } = await scripted({ status: 503, after: "0" });
  const lettermill = client.createLettermill({ apiKey, url: busyUrl });
  const contact = await lettermill.POST("/v1/contacts", { body: { email: "ada@example.org" } });
  expect([contact.response.status, asked.length]).toEqual([503, 1]);
  await stop();
});

test("who gives up waits no longer", async () => {
  const { asked, url: busyUrl, stop } = await scripted({ status: 503, after: "30" });
  const lettermill = client.createLettermill({ apiKey, url: busyUrl });
  const signal = AbortSignal.timeout(200);
  await expect(lettermill.GET("/v1/emails", { signal })).rejects.toThrow("timeout");
  expect(asked).toHaveLength(1);
  await stop();
});

test("webhooks are verified", () => {
  const secret = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
  const text = JSON.stringify({ type: "email.sent", timestamp: new Date(), data: {} });
  const now = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id: "evt_1", timestamp: now, body: text, secret });
  expect(webhooks.verifyWebhook(secret, text, headers).type).toBe("email.sent");
  expect(webhooks.verifyWebhook(secret, text, new Headers(headers)).type).toBe("email.sent");
  expect(() => webhooks.verifyWebhook(secret, `${text} `, headers)).toThrow("signature");
  const old = signatureHeaders({ id: "evt_1", timestamp: now - 600, body: text, secret });
  expect(() => webhooks.verifyWebhook(secret, text, old)).toThrow("old");
});

const faults = `
import { createLettermill } from "lettermill-client";
import { verifyWebhook } from "lettermill-client/webhooks";
const lettermill = createLettermill({ apiKey: "", url: "" });
// @ts-expect-error There is no such path.
await lettermill.GET("/v1/nothing");
// @ts-expect-error An address is text.
await lettermill.POST("/v1/contacts", { body: { email: 1 } });
// @ts-expect-error It needs an address.
await lettermill.POST("/v1/contacts", { body: {} });
const { data } = await lettermill.GET("/v1/emails", { params: { query: { limit: 1 } } });
const subject: string | null | undefined = data?.data[0]?.subject;
// @ts-expect-error It is not a number.
const number: number | undefined = data?.data[0]?.subject;
const event = verifyWebhook("", "", {});
// @ts-expect-error Not every event has an email.
event.data.emailId;
if (event.type === "email.clicked") console.log(event.data.emailId, subject, number);
`;

test("the examples of its README compile, and mistakes do not", async () => {
  const readme = await readFile(join(clientFolder, "README.md"), "utf8");
  const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  expect(examples.length).toBeGreaterThan(1);
  const folder = join(clientFolder, ".examples");
  await mkdir(folder, { recursive: true });
  try {
    const files = [...examples, faults].map((_, index) => join(folder, `${index}.ts`));
    await Promise.all(
      files.map((file, index) => writeFile(file, [...examples, faults][index] ?? "")),
    );
    const options =
      "--noEmit --strict --skipLibCheck --target ES2022 --module NodeNext --types node".split(" ");
    await compile(["--ignoreConfig", ...options, ...files]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
