import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { connect } from "@/db/client";
import { freePort } from "@/db/embedded/free-port";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { createList } from "@/lib/domain/lists/lists";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import { systemContext } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import type { BenchRow } from "./row";
import { load, startStand, untilReady, type Stand } from "./stand";

const large = 10;
const contactsOfEach = 100_000;
const imported = 50_000;

/** Ten projects with a history, and the statistics that Postgres gathered about them. */
async function fillLargeProjects(stand: Stand): Promise<void> {
  for (let n = 0; n < large; n++) {
    await bootstrap(stand.db, { email: "owner@example.com", projectName: `Large ${n}` });
    await stand.db.execute(sql`
      insert into contacts (id, project_id, email, first_name, consent, data)
      select new_id(), p.id, 'person' || n || '@example.com', 'Reader', 'subscribed',
        jsonb_build_object('plan', (array['free', 'pro', 'team'])[1 + n % 3], 'seats', n % 500)
      from projects p, generate_series(1, ${contactsOfEach}) n where p.name = ${`Large ${n}`}`);
  }
  await stand.db.execute(sql`vacuum analyze`);
}

const row = (what: string, unit: string, figure: number, goal?: BenchRow["goal"]): BenchRow => ({
  what: `young project, ${what}`,
  unit,
  figure,
  floor: null,
  ratio: null,
  ...(goal && { goal }),
});

/** Members who join a list per second, 16 at a time. Keys do not give access to lists. */
async function joinings(stand: Stand, projectId: string): Promise<number> {
  const db = connect(stand.databaseUrl, { max: 16 });
  try {
    const ctx = systemContext(db, decodeId("project", projectId) ?? "");
    const { id } = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
    let joined = 0;
    const from = performance.now() + 2_000;
    const until = from + 5_000;
    const joinInTurn = async (_: unknown, worker: number) => {
      for (let n = 0; performance.now() < until; n++) {
        await addSubscriber(ctx, id, { email: `member${worker}-${n}@example.com`, source: "api" });
        if (performance.now() > from) joined++;
      }
    };
    await Promise.all(Array.from({ length: 16 }, joinInTurn));
    return joined / 5;
  } finally {
    await db.$client.end({ timeout: 5 });
  }
}

/**
 * One project that is a minute old beside ten large ones: an import, then single contacts, members of a
 * list and mail, while the planner has no statistics about it.
 */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  try {
    await fillLargeProjects(stand);
    const young = await bootstrap(stand.db, { email: "owner@example.com", projectName: "Young" });
    // Autovacuum's effect is left out: its timing is unpredictable.
    for (const table of ["contacts", "subscribers", "emails"] as const) {
      await stand.db.execute(sql`
        alter table ${sql.identifier(table)} set (autovacuum_enabled = false)`);
    }
    await stand.db.execute(sql`
      update projects set sends_per_minute = 100000000, requests_per_ten_seconds = 100000000`);
    const port = await freePort();
    await untilReady(stand.run("bench/web.ts", [], { PORT: String(port), NODE_ENV: "production" }));
    const worker = stand.run("bin/worker.ts", [], { NODE_ENV: "production" });
    await untilReady(worker);

    const ask = async (path: string, body?: string, type = "application/json") => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
        ...(body === undefined ? {} : { method: "POST", body }),
        headers: { authorization: `Bearer ${young.apiKey}`, "content-type": type },
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as { id: string; status: string; created: number };
    };
    const lines = Array.from({ length: imported }, (_, n) => `import${n}@example.com,Reader`);
    const began = performance.now();
    const { id } = await ask(
      "contacts/import",
      ["email,firstName", ...lines].join("\n"),
      "text/csv",
    );
    let progress = await ask(`contacts/imports/${id}`);
    while (["PENDING", "RUNNING"].includes(progress.status)) {
      await sleep(50);
      progress = await ask(`contacts/imports/${id}`);
    }
    const seconds = (performance.now() - began) / 1000;
    if (progress.created !== imported) throw new Error(JSON.stringify(progress));
    // Handing mail over would take its share of the machine.
    worker.kill("SIGSTOP");

    const measure = async (what: string, path: string, body: object, goal?: BenchRow["goal"]) => {
      const order = { key: young.apiKey, connections: 16, warmUpMs: 2000, measureMs: 5000, port };
      const done = await load(stand, { ...order, path, body: JSON.stringify(body) });
      return row(what, "requests/s", done.requests / done.seconds, goal);
    };
    const message = {
      from: "hello@sandbox.test",
      subject: "Welcome",
      body: "<p>Good that you are here.</p>",
    };
    const rows: BenchRow[] = [
      row(
        `import of ${imported.toLocaleString("en")} contacts beside ten large ones`,
        "s",
        seconds,
        { most: 3 },
      ),
      await measure(
        "POST /v1/contacts, new ones",
        "/v1/contacts",
        { email: "new{n}@example.com" },
        { least: 3_000 },
      ),
      await measure("POST /v1/contacts, the same one again", "/v1/contacts", {
        email: "import7@example.com",
        firstName: "n{n}",
      }),
      row("a new member of a list", "members/s", await joinings(stand, young.projectId)),
      await measure("POST /v1/send", "/v1/send", { ...message, to: "mail{n}@example.com" }),
    ];
    worker.kill("SIGCONT");
    return rows;
  } finally {
    await stand.stop();
  }
}
