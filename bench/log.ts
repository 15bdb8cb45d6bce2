import { sql } from "drizzle-orm";
import { connect } from "@/db/client";
import { listEmails } from "@/lib/domain/emails/read";
import { emailQuery } from "@/lib/domain/emails/schema";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { createProject } from "@/lib/domain/projects/projects";
import { systemContext, type Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import type { BenchRow } from "./row";
import { writeLog, type LogTemplates } from "./log-mail";
import { startStand } from "./stand";

const scale = Number(process.env["LOG_BENCH_SCALE"] ?? 1);
const large = { contacts: 200_000, single: 2_500_000, campaigns: 50, recipients: 50_000 };
const other = { contacts: 20_000, single: 100_000, campaigns: 2, recipients: 20_000 };
const pages = 3;

/** What the log is asked for, with or without anything that matches. */
function questions({ receipt, signIn, rare, news }: LogTemplates): Record<string, object> {
  const content: Record<string, object> = {
    "a common subject": { subject: "Your receipt" },
    "a rare subject": { subject: "Rare note" },
    "a subject of one mail": { subject: "Report 500003" },
    "a subject with variables": { subject: "Your order {{ number }}" },
    "a subject that one person got": { subject: "Your order 500002" },
    "a subject of campaigns": { subject: "Weekly news" },
    "a subject that people of campaigns got": { subject: "Hi 7" },
    "a subject that nothing has": { subject: "Nothing" },
    "a common template": { templateId: encodeId("template", receipt) },
    "a rare template": { templateId: encodeId("template", rare) },
    "a campaigns' template": { templateId: encodeId("template", news) },
    "a template and a subject that match": {
      ...{ templateId: encodeId("template", signIn), subject: "Sign in" },
    },
    "a template and another's subject": {
      ...{ templateId: encodeId("template", signIn), subject: "Your receipt" },
    },
    "a rare template and another's subject": {
      ...{ templateId: encodeId("template", rare), subject: "Your receipt" },
    },
    "a campaigns' template and another's subject": {
      ...{ templateId: encodeId("template", news), subject: "Your receipt" },
    },
  };
  const more: Record<string, object> = {
    "": {},
    " status BOUNCED": { status: "BOUNCED" },
    " status CLICKED": { status: "CLICKED" },
    " status PENDING": { status: "PENDING" },
    " event opened": { event: "opened" },
    " event complained": { event: "complained" },
    " event failed, counted": { event: "bounced", status: "FAILED" },
    " address of one": { search: "reader4711@" },
    " address of many": { search: "reader" },
    " address of many, clicked": { search: "reader", status: "CLICKED" },
    " address of nobody": { search: "nobody" },
    " an old week": { startDate: "2026-01-05", endDate: "2026-01-11" },
    " days before": { endDate: "2020-01-01" },
    " source WORKFLOW": { source: "WORKFLOW" },
    " source CAMPAIGN": { source: "CAMPAIGN" },
  };
  return Object.fromEntries(
    Object.entries(content).flatMap(([what, one]) =>
      Object.entries(more).map(([with_, two]) => [
        `${what}${with_ && ` with${with_}`}`,
        { ...one, ...two },
      ]),
    ),
  );
}

/** The slowest page of each question, in ms: the best of two, so that what else the machine does counts less. */
async function measure(ctx: Context, templates: LogTemplates): Promise<Map<string, number>> {
  const slowest = new Map<string, number>();
  for (const [what, question] of Object.entries(questions(templates))) {
    let cursor: string | undefined;
    for (let page = 1; page <= pages; page++) {
      let best = Infinity;
      let answer;
      for (let turn = 0; turn < 2; turn++) {
        const began = performance.now();
        answer = await listEmails(ctx, emailQuery.parse({ ...question, cursor }));
        best = Math.min(best, performance.now() - began);
      }
      slowest.set(what, Math.max(slowest.get(what) ?? 0, best));
      if (process.env["LOG_BENCH_VERBOSE"] && best > 60) {
        console.error(
          `${best.toFixed(0)} ms  ${what}, page ${page}: ${answer?.data.length}, ${answer?.searchedTo}`,
        );
      }
      cursor = answer?.nextCursor;
      if (!cursor) break;
    }
  }
  return slowest;
}

/** The log by subject and template, beside every other filter, also where nothing matches. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  const db = connect(stand.databaseUrl, { max: 4 });
  try {
    const user = await findOrCreateUser(db, { email: "bench@example.com" });
    const project = async (name: string) => {
      const { id } = await createProject(db, { name, ownerUserId: user.id });
      return systemContext(db, id.startsWith("prj_") ? (decodeId("project", id) ?? "") : id);
    };
    const sized = ({ contacts, single, campaigns, recipients }: typeof large) => ({
      contacts: Math.ceil(contacts * scale),
      single: Math.ceil(single * scale),
      ...{ campaigns, recipients: Math.ceil(recipients * scale) },
    });
    const bench = await project("Large");
    const templates = await writeLog(db, bench.projectId, sized(large));
    for (let n = 0; n < 3; n++) {
      await writeLog(db, (await project(`Other ${n}`)).projectId, sized(other));
    }
    await db.execute(sql`vacuum analyze`);
    for (const table of ["contacts", "emails", "messages"]) {
      await db.execute(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = false)`);
    }
    const young = await project("Young");
    const youngTemplates = await writeLog(db, young.projectId, sized(other));
    const rows: BenchRow[] = [];
    for (const [name, ctx, its] of [
      ["5,000,000 emails", bench, templates],
      ["a young project", young, youngTemplates],
    ] as const) {
      const times = [...(await measure(ctx, its))].sort(([, one], [, another]) => another - one);
      for (const [what, ms] of times.slice(0, 12)) console.error(`${ms.toFixed(0)} ms  ${what}`);
      rows.push({
        what: `log by subject and template, the slowest of ${times.length} questions, ${name}`,
        unit: "ms",
        figure: times[0]?.[1] ?? 0,
        ...{ floor: null, ratio: null, goal: { most: 100 } },
      });
    }
    return rows;
  } finally {
    await db.$client.end({ timeout: 5 });
    await stand.stop();
  }
}
