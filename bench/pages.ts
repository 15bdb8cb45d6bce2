import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { root } from "@/bin/start/root";
import { seedProject } from "@/bin/seed/project";
import { freePort } from "@/db/embedded/free-port";
import { setSessionCookie } from "@/lib/doors/http/sign-in/session-cookie";
import { createSession } from "@/lib/domain/users/sessions";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { env } from "@/lib/ground/env/env";
import { pageQuestions, readQuestions, type Ask } from "./questions";
import type { BenchRow } from "./row";
import { startStand, untilReady, type Stand } from "./stand";

const scale = Number(process.env["PAGES_BENCH_SCALE"] ?? 1);
const size = { contacts: Math.ceil(1_000_000 * scale), emails: Math.ceil(5_000_000 * scale) };
const small = { contacts: 2_000, emails: 20_000 };
const told = 15;

/** Signs the owner in and asks as the browser does. */
async function visitor(stand: Stand, url: string): Promise<Ask> {
  const user = await findOrCreateUser(stand.db, { email: env().OWNER_EMAIL });
  const session = await createSession(stand.db, {
    ...{ userId: user.id, platformTokenId: null, address: "127.0.0.1", userAgent: "bench" },
  });
  const [cookie = ""] = (await setSessionCookie({ user, sessionId: session.id })).split(";");
  return async (path) => {
    for (;;) {
      const began = performance.now();
      const answer = await fetch(url + path, { headers: { cookie }, redirect: "manual" });
      const body = await answer.text();
      const { status } = answer;
      if (status >= 500) throw new Error(`${path}: ${status} ${body.slice(0, 200)}`);
      if (status !== 429) return { status, body, milliseconds: performance.now() - began };
      // A session may ask for much, but not for all of this at once.
      await sleep(1_000);
    }
  };
}

/**
 * Milliseconds of each: the best of three, so that what else the machine does counts less. All are asked before any is
 * asked again: a page that is the first to run some code is slow, as nobody's are who comes later.
 */
async function measure(ask: Ask, paths: readonly string[]): Promise<[string, number][]> {
  const best = new Map<string, number>();
  const refused = new Set<string>();
  for (let turn = 0; turn < 3; turn++) {
    for (const path of paths) {
      const { status, milliseconds } = await ask(path);
      if (status === 200) best.set(path, Math.min(best.get(path) ?? Infinity, milliseconds));
      else refused.add(`${status} ${path}`);
    }
  }
  if (refused.size > 0) console.error(`Not answered with 200:\n${[...refused].join("\n")}`);
  return [...best].sort(([, one], [, another]) => another - one);
}

function rowOf(what: string, times: readonly [string, number][], project: string): BenchRow {
  for (const [path, ms] of times.slice(0, told)) console.error(`${ms.toFixed(0)} ms  ${path}`);
  return {
    what: `${what}, the slowest of ${times.length}, ${project}`,
    unit: "ms",
    figure: times[0]?.[1] ?? Infinity,
    ...{ floor: null, ratio: null, goal: { most: 100 } },
  };
}

/** Every page of the dashboard, and every list it reads with each of its filters, also those that nothing matches. */
export async function run(): Promise<BenchRow[]> {
  execFileSync(process.execPath, ["--import", "tsx", "bin/build.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const stand = await startStand({ PORT: String(port), APP_URL: url, NODE_ENV: "production" });
  try {
    const tell = (text: string) => console.error(text);
    const large = await seedProject(stand.db, { project: "Large", ...size }, tell);
    await stand.db.execute(sql`vacuum analyze`);
    // The statistics know nothing of the newest project, as in the minutes after it was made.
    for (const table of ["contacts", "emails", "messages"]) {
      await stand.db.execute(
        sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = false)`,
      );
    }
    const young = await seedProject(stand.db, { project: "Young", ...small }, tell);
    await untilReady(stand.run("bin/web.ts"));
    const ask = await visitor(stand, url);
    const rows: BenchRow[] = [];
    for (const [name, { projectId }] of [
      [`${size.contacts.toLocaleString("en")} contacts`, large],
      ["a young project", young],
    ] as const) {
      const { reads, ids } = await readQuestions(ask, projectId);
      rows.push(rowOf("dashboard pages", await measure(ask, pageQuestions(projectId, ids)), name));
      rows.push(rowOf("what they read, by every filter", await measure(ask, reads), name));
    }
    return rows;
  } finally {
    await stand.stop();
  }
}
