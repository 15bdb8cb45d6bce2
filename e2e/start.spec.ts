import { execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test as base } from "@playwright/test";
import { callApi, root, startProduct, type Product } from "./product";
import { freePort } from "@/db/embedded/free-port";
import { until } from "@/lib/testing/until";

const run = promisify(execFile);

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one of the programs with these settings and nothing of the tests' own environment. */
async function program(
  file: string,
  args: string[],
  settings: Record<string, string>,
): Promise<Outcome> {
  const { PATH = "", HOME = "" } = process.env;
  const options = {
    cwd: root,
    env: { NODE_ENV: "production", PATH, HOME, LOG_LEVEL: "warn", ...settings } as const,
    timeout: 45_000,
  };
  return run(process.execPath, ["--import", "tsx", `bin/${file}.ts`, ...args], options).then(
    (output) => ({ code: 0, ...output }),
    (error: Outcome) => error,
  );
}

const command = (product: Product, ...args: string[]) =>
  program("lettermill", args, { DATA_DIR: product.dataDir });

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
  });
}

function runtime(product: Product): { pid: number; DATABASE_URL: string } {
  const text = readFileSync(join(product.dataDir, "runtime.json"), "utf8");
  return JSON.parse(text) as { pid: number; DATABASE_URL: string };
}

/** The launcher's process, also while it is coming up. */
function lockHolder(dataDir: string): number {
  return (JSON.parse(readFileSync(join(dataDir, "lock"), "utf8")) as { pid: number }).pid;
}

/** The process with this title that the launcher runs now, as /proc has it; null between two. */
function childOf(launcher: number, title: string): number | null {
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const name = readFileSync(`/proc/${entry}/cmdline`, "utf8");
      if (Number(parent) === launcher && name.startsWith(title)) return Number(entry);
    } catch {
      // It ended while we looked.
    }
  }
  return null;
}

const postmaster = (product: Product) =>
  Number.parseInt(readFileSync(join(product.dataDir, "postgres", "postmaster.pid"), "utf8"), 10);

async function answers(product: Product): Promise<true | null> {
  const answer = await callApi(product, "GET", "/v1/emails").catch(() => null);
  return answer?.status === 200 || null;
}

/** A product for each test, since most tests break it. */
const test = base.extend<{ product: Product }>({
  product: async ({}, use) => {
    const product = await startProduct();
    await use(product);
    await product.remove();
  },
});
test.skip(process.platform !== "linux", "Processes are found through /proc.");
test.setTimeout(120_000);

/** What a data directory holds while nothing runs. */
const kept = ["postgres", "postgres.log", "secrets.json", "witness.json"];

test("a program or Postgres that is killed is started again, and loses nothing", async ({
  product,
}) => {
  const { pid } = runtime(product);
  for (const name of ["web", "worker", "smtp"]) {
    const killed = await until(() => childOf(pid, `lettermill ${name}`), {
      what: `the ${name} program runs`,
    });
    process.kill(killed, "SIGKILL");
    await until(
      () => {
        const now = childOf(pid, `lettermill ${name}`);
        return now === killed ? null : now;
      },
      // Beside another product that starts on two cores, a start takes longer than on its own.
      { what: `another ${name} program runs`, seconds: 30 },
    );
    expect(product.output()).toContain(`The ${name} program was ended by SIGKILL`);
  }
  process.kill(postmaster(product), "SIGKILL");
  await until(() => answers(product), { what: "the product answers again", seconds: 30 });
  const { status } = await callApi(product, "POST", "/v1/send", {
    from: "hello@sandbox.test",
    to: "you@example.com",
    subject: "After the kill",
    body: "<p>Hello</p>",
  });
  expect(status).toBe(200);
  await until(
    async () => {
      const { body } = await callApi<{ data: { status: string }[] }>(product, "GET", "/v1/emails");
      return body.data[0]?.status === "DELIVERED" || null;
    },
    { what: "the email is delivered", seconds: 30 },
  );
});

test("SIGTERM ends everything, and the next start finds everything as it was", async ({
  product,
}) => {
  const web = Number(new URL(product.url).port);
  const postgres = Number(new URL(runtime(product).DATABASE_URL).port);
  const relay = Number(/SMTP relay\s+\S+:(\d+)/.exec(product.output())?.[1]);
  for (const port of [web, postgres, relay]) expect(await isListening(port)).toBe(true);
  expect(await product.stop()).toBe(0);
  for (const port of [web, postgres, relay]) expect(await isListening(port)).toBe(false);
  expect(product.output().indexOf("Postgres stopped")).toBeGreaterThan(
    product.output().indexOf("Programs stopped"),
  );
  expect(readdirSync(product.dataDir).sort()).toEqual(kept);

  await product.restart();
  expect(await answers(product)).toBe(true);
  expect(product.output()).toContain(`/dashboard/${product.projectId}/`);
  expect(product.output()).toContain("/login/token/");
  expect(product.output()).not.toContain("sk_live_");
  expect(product.output()).not.toContain("Building");
});

for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
  test(`${signal} to npm itself ends what npm start started`, async () => {
    const [port, relay] = [await freePort(), await freePort()];
    const dataDir = await mkdtemp(join(tmpdir(), "lettermill-e2e-"));
    const { PATH = "", HOME = "" } = process.env;
    const settings = { DATA_DIR: dataDir, PORT: String(port), SMTP_RELAY_PORT: String(relay) };
    const npm = spawn("npm", ["start"], {
      cwd: root,
      env: { NODE_ENV: "production", PATH, HOME, ...settings },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await until(async () => (await isListening(port)) || null, {
      what: "the product serves",
      seconds: 60,
    });
    // Worker and web start beside each other, and either may be first.
    await until(() => existsSync(join(dataDir, "witness.json")) || null, {
      what: "the worker has begun",
      seconds: 60,
    });
    const launcher = lockHolder(dataDir);
    npm.kill(signal);
    await until(() => !existsSync(`/proc/${launcher}`) || null, {
      what: "the launcher has ended",
      seconds: 30,
    });
    for (const each of [port, relay]) expect(await isListening(each)).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(kept);
    await rm(dataDir, { recursive: true });
  });
}

test("what a kill -9 of the launcher left does not stand in the way of the next start", async ({
  product,
}) => {
  const { pid } = runtime(product);
  const left = postmaster(product);
  process.kill(pid, "SIGKILL");
  await until(async () => ((await isListening(Number(new URL(product.url).port))) ? null : true), {
    what: "the programs have followed their launcher",
  });
  expect(existsSync(`/proc/${left}`)).toBe(true);
  await product.restart();
  expect(existsSync(`/proc/${left}`)).toBe(false);
  expect(await answers(product)).toBe(true);
});

test("commands speak to the running product, and start the database when none runs", async ({
  product,
}) => {
  const email = "operator@example.com";
  const bootstrapped = await command(
    product,
    "bootstrap",
    "--email",
    email,
    "--project",
    "CLI",
    "--json",
  );
  expect(bootstrapped.stderr).toBe("");
  const access = JSON.parse(bootstrapped.stdout) as Record<string, string>;
  expect(Object.keys(access)).toEqual([
    "projectId",
    "apiKey",
    "platformToken",
    "loginUrl",
    "appUrl",
  ]);
  expect(access["appUrl"]).toBe(product.url);
  const response = await fetch(`${product.url}/v1/emails`, {
    headers: { authorization: `Bearer ${access["apiKey"]}` },
  });
  expect(response.status).toBe(200);

  const unclear = await command(product, "key", "create", "--json");
  expect(unclear).toMatchObject({ code: 1, stdout: "" });
  expect(unclear.stderr).toMatch(/^Which project\? Pass --project with one of: .*\n$/);
  const key = await command(product, "key", "create", "--project", "CLI", "--json");
  expect(JSON.parse(key.stdout)).toMatchObject({ scope: "full", mode: "live" });

  await product.stop();
  const alone = await command(product, "bootstrap", "--email", email, "--project", "CLI", "--json");
  const repeated = JSON.parse(alone.stdout) as Record<string, string>;
  expect(repeated["projectId"]).toBe(access["projectId"]);
  expect(repeated["platformToken"]).toBe(access["platformToken"]);
  expect(readdirSync(product.dataDir).sort()).toEqual(kept);
});

test("what is wrong at the start is one sentence and exit code 1", async ({ product }) => {
  const port = new URL(product.url).port;
  const free = String(await freePort());
  const elsewhere = join(product.dataDir, "elsewhere");
  const cases: [Record<string, string>, RegExp][] = [
    [{ DATA_DIR: elsewhere, PORT: port }, /^Port \d+ on 127\.0\.0\.1 is taken by another program/],
    [{ DATA_DIR: product.dataDir, PORT: free }, /^Lettermill runs on DATA_DIR \S+ already/],
    [{ DATA_DIR: "/proc/nowhere", PORT: free }, /^DATA_DIR \/proc\/nowhere cannot be written/],
    [
      {
        DATA_DIR: elsewhere,
        PORT: free,
        DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${free}/x`,
      },
      /^The database at 127\.0\.0\.1:\d+\/x \(DATABASE_URL\) cannot be used: nothing listens there\.$/,
    ],
    [
      { DATA_DIR: elsewhere, PORT: "seventy" },
      /^Settings are wrong: PORT: is not a port number\.$/,
    ],
  ];
  for (const [settings, sentence] of cases) {
    const { code, stderr } = await program("start", [], settings);
    expect(stderr.trim()).toMatch(sentence);
    expect(stderr.trim()).not.toContain("\n");
    expect(code).toBe(1);
  }
  expect(statSync(join(product.dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
});
