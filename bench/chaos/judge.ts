import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { readFigures } from "@/lib/domain/campaigns/stats";
import { shareByMinute } from "@/lib/domain/warm-up/plan";
import { readReturnPath } from "@/lib/mail/return-path";
import { besideFindings, type Beside, type Finding } from "./beside";
import type { ChaosStand } from "./stand";

/** How many mails a worker makes, hands over or records at once: the dispatcher's concurrency. */
const inFlight = 48;
/** A worker's sessions with the mail server: as many mails may be lost with it. */
const sessions = 10;
/** People who left longer ago than this get nothing. */
const graceMilliseconds = 1_000;

export interface Arrival {
  /** uuid; null: not one of ours. */
  emailId: string | null;
  to: string;
  hash: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Lines of the mail server's log about the campaign's people, or others; the last may be half written. */
export async function readSinkLog(path: string, who = "person"): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").slice(0, -1);
  return lines.filter((line) => line.includes(` ${who}`));
}

function parse(line: string): Arrival {
  const [from = "", to = "", hash = "", at = ""] = line.split(" ");
  return { emailId: readReturnPath(from), to, hash, at: Number(at) };
}

interface StoredEmail extends Record<string, unknown> {
  id: string;
  recipient: string;
  status: string;
  attempts: number;
  suppressed: boolean;
}

/** Who was dealt which variant, and how many people outside the test were given the winner's content. */
async function readVariants(stand: ChaosStand, campaign: string) {
  const [row] = await stand.ask((db) =>
    db.execute<{ winner: number | null; tested: number; dealt: number[]; of_winner: number }>(sql`
      select winner, tested, array(
        select count(*)::int from emails
        where campaign_id = c.id and variant is not null group by variant order by variant
      ) as dealt, (
        select count(*)::int from emails
        where campaign_id = c.id and variant is null
          and message_id = c.variant_message_ids[c.winner]
      ) as of_winner
      from campaigns c where id = ${campaign}`),
  );
  if (!row) throw new Error("The campaign is gone.");
  const { winner, tested, dealt, of_winner: ofWinner } = row;
  return { winner, tested, dealt, ofWinner };
}

/** People whose mail came before the hour's share had grown far enough. */
function tooEarly(arrivals: readonly Arrival[], hourlyCap: number): number {
  const first = new Map<string | null, number>();
  for (const { emailId, at } of arrivals)
    first.set(emailId, Math.min(at, first.get(emailId) ?? at));
  const hours = Map.groupBy(
    [...first.values()].toSorted((a, b) => a - b),
    (at) => Math.floor(at / 3_600_000),
  );
  const minuteOf = (at: number) => new Date(at).getUTCMinutes();
  return [...hours.values()].reduce(
    (sum, times) =>
      sum + times.filter((at, before) => before >= shareByMinute(hourlyCap, minuteOf(at))).length,
    0,
  );
}

/** Compares arrivals with records. Prints each finding; resolves to whether all is well. */
export async function judge(
  stand: ChaosStand,
  campaign: string,
  run: {
    recipients: number;
    left: Map<string, number>;
    deaths: number;
    beside: Beside;
    /** Everything was killed while the A/B test waited for its winner. */
    struck: boolean;
    /** Emails an hour at most, by the warm-up of the sender's domain; null: it has none. */
    hourlyCap: number | null;
  },
): Promise<boolean> {
  const arrivals = (await readSinkLog(stand.log)).map(parse);
  const emails = await stand.ask((db) =>
    db.execute<StoredEmail>(sql`
      select id, recipient, status, coalesce(q.attempts, e.attempts) as attempts, exists (
        select from email_events v where v.email_id = e.id and v.name = 'suppressed') as suppressed
      from emails e left join email_queue q on q.email_id = e.id
      where e.campaign_id = ${campaign}`),
  );
  const [stored] = await stand.ask((db) =>
    db.execute<{ status: string; project_id: string; recipients: number }>(sql`
      select status, project_id, recipients from campaigns where id = ${campaign}`),
  );
  if (!stored) throw new Error("The campaign is gone.");
  const figuresOf = await stand.ask((db) =>
    readFigures(db, stored.project_id, [{ id: campaign, recipients: stored.recipients }]),
  );
  const figures = figuresOf(campaign);

  const arrived = Map.groupBy(arrivals, ({ emailId }) => emailId);
  const byStatus = (status: string) => emails.filter((email) => email.status === status);
  const copies = arrivals.length - arrived.size;
  const different = [...arrived.values()].filter(
    (same) => new Set(same.map(({ hash, to }) => hash + to)).size > 1,
  );
  const late = arrivals.filter(({ to, at }) => {
    const leftAt = run.left.get(to);
    return leftAt !== undefined && at > leftAt + graceMilliseconds;
  });
  // In flight at a kill, and its person left before it was tried again: it arrived, and nobody knows.
  const unknown = emails.filter(({ id, suppressed }) => suppressed && arrived.has(id));
  const lost = emails.filter(
    ({ id, suppressed, recipient }) => !arrived.has(id) && !(suppressed && run.left.has(recipient)),
  );
  const { winner, tested, dealt, ofWinner } = await readVariants(stand, campaign);
  const hashes = Map.groupBy(arrivals, ({ to }) => to);
  const twoVariants = [...hashes.values()].filter(
    (mails) => new Set(mails.map(({ hash }) => hash)).size > 1,
  );
  const people = new Set(emails.map(({ recipient }) => recipient));
  const leftBefore = await stand.ask((db) =>
    db.execute<{ email: string }>(sql`
      select email from contacts c
      where project_id = ${stored.project_id} and email like 'person%' and not exists (
        select from emails where campaign_id = ${campaign} and contact_id = c.id)`),
  );
  const mostCopies = run.deaths * inFlight + stand.workers.length * sessions;

  const findings: Finding[] = [
    ["campaign", stored.status, stored.status === "SENT"],
    [
      "recipients, people among them, left before they were written down",
      `${stored.recipients}, ${people.size}, ${leftBefore.length}`,
      emails.length === stored.recipients &&
        people.size === stored.recipients &&
        stored.recipients + leftBefore.length === run.recipients &&
        leftBefore.every(({ email }) => run.left.has(email)),
    ],
    ["messages at the mail server", arrivals.length, true],
    ["people who got it", arrived.size, !arrived.has(null)],
    ["lost", lost.length, lost.length === 0],
    [`left meanwhile`, run.left.size, true],
    ["to whom left over a second before", late.length, late.length === 0],
    [
      `copies (${run.deaths} deaths of workers, at most ${mostCopies} in flight)`,
      copies,
      copies <= mostCopies,
    ],
    [
      "A/B test: people in it, of each variant, and of the winner's content outside it",
      `${tested}, ${dealt.join(" ")}, ${ofWinner}`,
      run.struck &&
        winner !== null &&
        tested === Math.ceil(stored.recipients / 2) &&
        Math.max(...dealt) - Math.min(...dealt) <= 1 &&
        tested + ofWinner === stored.recipients,
    ],
    ["people who got two variants", twoVariants.length, twoVariants.length === 0],
    ["copies that differ", different.length, different.length === 0],
    [
      "SENT by the records, but not arrived",
      byStatus("SENT").filter(({ id }) => !arrived.has(id)).length,
      byStatus("SENT").every(({ id }) => arrived.has(id)),
    ],
    [
      "arrived, but not SENT (in flight at a death, left before the next try)",
      unknown.length,
      unknown.every(({ attempts }) => attempts > 0) && unknown.length <= mostCopies,
    ],
    [
      "stats: sent, failed, pending",
      `${figures.sent}, ${figures.failed}, ${figures.pending}`,
      figures.sent === arrived.size - unknown.length &&
        figures.sent === byStatus("SENT").length &&
        figures.failed === byStatus("FAILED").length &&
        figures.sent + figures.failed === stored.recipients &&
        figures.pending === 0,
    ],
  ];
  const urgent = (await readSinkLog(stand.log, "urgent")).map(parse);
  findings.push(...besideFindings(stand, run.beside, { arrivals: urgent, mostCopies }));
  if (run.hourlyCap !== null) {
    const early = tooEarly(arrivals, run.hourlyCap);
    findings.push([
      `before the warm-up of ${run.hourlyCap} an hour had room for them`,
      early,
      early === 0,
    ]);
  }
  for (const [what, found, sound] of findings) {
    console.log(`${sound ? "ok " : "BAD"} ${what}: ${String(found)}`);
  }
  for (const email of [...lost, ...unknown].slice(0, 20)) console.log(JSON.stringify(email));
  for (const mail of late.slice(0, 20)) {
    console.log(`${mail.to} arrived ${mail.at - (run.left.get(mail.to) ?? 0)} ms after they left`);
  }
  return findings.every(([, , sound]) => sound);
}
