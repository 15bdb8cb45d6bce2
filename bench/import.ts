import { createReadStream, createWriteStream } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { build } from "@/bin/start/build";
import { root } from "@/bin/start/root";
import { clientOf } from "@/db/client";
import { decodeId } from "@/lib/ground/ids/ids";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import type { BenchRow } from "./row";
import { startStand, untilReady, type Stand } from "./stand";
import { freePort } from "@/db/embedded/free-port";

const contacts = 1_000_000;
const plans = ["free", "free", "free", "pro", "team"] as const;
const cities = ["London", "Paris", "Berlin", "Lisbon", "Oslo", "Graz", "Wien"] as const;
const names = ["Ada", "Grace", "Édith", "Linus", "Zoë", "Alan", "Barbara", "Ken"] as const;
const families = ["Lovelace", "Hopper", "Piaf", "Torvalds", "Turing", "Liskov", "Müller"] as const;

const of = <Value>(values: readonly [Value, ...Value[]], n: number): Value =>
  values[n % values.length] ?? values[0];

function person(n: number) {
  return {
    email: `person${n}@${of(["example.com", "mail.example.org", "shop.example.net"], n)}`,
    firstName: of(names, n),
    lastName: of(families, n >> 3),
    tags: n % 100 === 0 ? ["vip", "customer"] : n % 3 === 0 ? ["customer"] : [],
    data: {
      plan: of(plans, n),
      seats: String(n % 500),
      city: of(cities, n),
      customer: String(n),
      signedUpAt: new Date(1_704_067_200_000 + n * 60_000).toISOString(),
    },
  };
}

/** Lines of text, a few thousand to a chunk. */
function* lines(header: string, line: (n: number) => string): Generator<string> {
  let chunk = header;
  for (let n = 1; n <= contacts; n++) {
    chunk += line(n);
    if (n % 5_000 !== 0) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

/** What a customer brings: an address, two names, tags and five columns of their own. */
const csv = () =>
  lines("email,firstName,lastName,tags,plan,seats,city,customer,signedUpAt\n", (n) => {
    const { email, firstName, lastName, tags, data } = person(n);
    return `${email},${firstName},${lastName},"${tags.join(",")}",${Object.values(data).join(",")}\n`;
  });

/** The same people as COPY takes them, into the columns they end up in. */
const copyText = (projectId: string) => () =>
  lines("", (n) => {
    const { email, firstName, lastName, tags, data } = person(n);
    const id = `${(n + 0x1000_0000).toString(16)}-0000-7000-8000-000000000000`;
    const array = `{${tags.join(",")}}`;
    const json = JSON.stringify(data);
    return `${[id, projectId, email, firstName, lastName, "subscribed", array, json].join("\t")}\n`;
  });

async function write(file: string, text: () => Generator<string>): Promise<void> {
  await pipeline(Readable.from(text()), createWriteStream(file));
}

const seconds = (since: number) => (performance.now() - since) / 1000;

/** A bare COPY into a table with the columns and indexes that contacts have. */
async function floor(stand: Stand, file: string): Promise<number> {
  await stand.db.execute(sql`create table floor_contacts (like contacts including all)`);
  const began = performance.now();
  const copy = await clientOf(stand.db)`
    copy floor_contacts (id, project_id, email, first_name, last_name, consent, tags, data)
    from stdin`.writable();
  await pipeline(createReadStream(file), copy);
  const took = seconds(began);
  await stand.db.execute(sql`drop table floor_contacts`);
  return took;
}

interface Progress {
  id: string;
  status: string;
  processed: number;
  created: number;
  updated: number;
}

/** A process's peak resident memory in MB. Linux only; elsewhere 0. */
async function peakMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** A CSV of a million contacts through the API, from the first byte sent until the last contact is there. */
export async function run(): Promise<BenchRow[]> {
  await build(root);
  const stand = await startStand();
  const folder = process.env["DATA_DIR"] ?? "";
  const [file, bare] = [join(folder, "contacts.csv"), join(folder, "contacts.copy")];
  try {
    const access = await bootstrap(stand.db, { email: "owner@example.com" });
    await stand.db.execute(sql`update projects set requests_per_ten_seconds = 100000000`);
    await write(file, csv);
    await write(bare, copyText(decodeId("project", access.projectId) ?? ""));
    const least = await floor(stand, bare);
    await rm(bare);
    const port = await freePort();
    const web = stand.run("bin/web.ts", [], { PORT: String(port), NODE_ENV: "production" });
    await untilReady(web);
    await untilReady(stand.run("bin/worker.ts", [], { NODE_ENV: "production" }));

    const ask = async (path: string, init: RequestInit = {}): Promise<Progress> => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/contacts/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${access.apiKey}`, "content-type": "text/csv" },
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as Progress;
    };
    const send = async () => {
      const began = performance.now();
      const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
      const { id } = await ask("import", { method: "POST", body, duplex: "half" } as RequestInit);
      const staged = seconds(began);
      let progress = await ask(`imports/${id}`);
      while (["PENDING", "RUNNING"].includes(progress.status)) {
        await sleep(200);
        progress = await ask(`imports/${id}`);
      }
      if (progress.status !== "COMPLETED" || progress.created + progress.updated !== contacts) {
        throw new Error(`The import came to ${JSON.stringify(progress)}.`);
      }
      return { staged, took: seconds(began) };
    };
    const { size } = await stat(file);
    const { staged, took } = await send();
    const again = await send();
    return [
      {
        what: `import, CSV of ${contacts.toLocaleString("en")} contacts with 5 custom fields, ${Math.round(size / 2 ** 20)} MB (floor: a bare COPY)`,
        unit: "s",
        figure: took,
        floor: least,
        ratio: took / least,
        goal: { most: 60 },
      },
      {
        what: "import, until the whole file is read, checked and staged",
        unit: "s",
        figure: staged,
        floor: null,
        ratio: null,
      },
      {
        what: "import, the same file again: every contact is changed",
        unit: "s",
        figure: again.took,
        floor: least,
        ratio: again.took / least,
      },
      {
        what: "import, the most memory that the web program had",
        unit: "MB",
        figure: await peakMegabytes(web.pid),
        floor: null,
        ratio: null,
      },
    ];
  } finally {
    await stand.stop();
  }
}
