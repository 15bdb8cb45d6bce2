import { sql } from "drizzle-orm";
import { type Answers } from "@/bench/chaos/answers";
import type { Finding } from "@/bench/chaos/beside";
import { ways, type Urgent, type Way } from "@/bench/chaos/neighbour";
import { decodeId } from "@/lib/ground/ids/ids";
import { storedCampaign } from "@/lib/testing/campaigns";
import type { Callers } from "./callers";
import type { Taken } from "./receiver";
import type { Scene, Sender } from "./scene";
import type { FaultStand } from "./stand";

/** People who left longer before a mail to them was begun than this get none. */
const graceMilliseconds = 1_000;
/** Requests are taken within this long of the end of what kept programs from it. */
export const recoverySeconds = 20;
/** A copy's first delivery was under way when something was killed, or cut, within this long of it. */
const underWayMilliseconds = 5_000;

/** When something was done to the programs, in milliseconds since 1970. */
export interface Fault {
  what: string;
  from: number;
  to: number;
}

/** What a run may leave behind, by what was done in it. */
export interface Allowance {
  /** Copies, of mail whose hand-over was broken off. */
  copies: number;
  /** Requests without any answer: the program was killed, or nobody could reach it. */
  unanswered: number;
  /** Programs that end by themselves and are started again. */
  endings: boolean;
  recoverySeconds: number;
  /** Milliseconds that a mail may be on the way between a worker's check and MAIL FROM. */
  onTheWay?: number;
}

export interface Evidence {
  scene: Scene;
  callers: Callers;
  urgent: readonly Urgent[];
  faults: readonly Fault[];
  allowance: Allowance;
}

interface StoredEmail extends Record<string, unknown> {
  id: string;
  project_id: string;
  campaign_id: string | null;
  recipient: string;
  status: string;
  suppressed: boolean;
}

const some = (items: readonly unknown[]) =>
  items.length === 0 ? "0" : `${items.length}: ${JSON.stringify(items.slice(0, 5))}`;
const none = (what: string, items: readonly unknown[]): Finding => [
  what,
  some(items),
  items.length === 0,
];
const isTaken = ({ answer }: Urgent) => answer === "200" || answer === "250";
/** "Come back later": over HTTP with the time to wait, over SMTP any 4xx. */
const isLater = (answer: string) => answer === "503" || /^4\d\d$/.test(answer);

function campaignFindings(
  { word, people }: Sender,
  stored: Awaited<ReturnType<typeof storedCampaign>>,
  mails: { emails: readonly StoredEmail[]; arrived: ReadonlyMap<string | null, Taken[]> },
  leavers: ReadonlySet<string>,
): Finding[] {
  const { emails, arrived } = mails;
  const lost = emails.filter(
    ({ id, suppressed, recipient }) => !arrived.has(id) && !(suppressed && leavers.has(recipient)),
  );
  const { figures } = stored;
  const sent = emails.filter(({ status }) => status === "SENT").length;
  return [
    [
      `${word}: campaign, its recipients`,
      `${stored.status}, ${emails.length} of ${people}`,
      stored.status === "SENT" && emails.length + leavers.size >= people && emails.length <= people,
    ],
    none(
      `${word}: lost`,
      lost.map(({ recipient }) => recipient),
    ),
    [
      `${word}: figures, settled and sent`,
      `${figures.settled} and ${figures.sent}`,
      figures.settled === emails.length && figures.sent === sent,
    ],
  ];
}

function mailFindings(
  { emails, log }: { emails: readonly StoredEmail[]; log: readonly Taken[] },
  { scene, callers, faults, allowance }: Evidence,
): Finding[] {
  const byId = new Map(emails.map((email) => [email.id, email]));
  const astray = log.filter(({ emailId, to, subject }) => {
    const email = byId.get(emailId ?? "");
    const isOthers = email?.project_id === scene.other.projectId;
    return email?.recipient !== to || subject.startsWith(`${scene.other.word} `) !== isOthers;
  });
  const late = log.filter(({ emailId, to, begunAt }) => {
    const leftAt = callers.left.get(to);
    const isShop = byId.get(emailId ?? "")?.project_id === scene.shop.projectId;
    const grace = graceMilliseconds + (allowance.onTheWay ?? 0);
    return isShop && leftAt !== undefined && begunAt > leftAt + grace;
  });
  const deliveries = [...Map.groupBy(log, ({ emailId }) => emailId).values()];
  const firsts = deliveries.flatMap((same) => same.slice(0, -1));
  const unexplained = firsts.filter(
    ({ begunAt, at }) =>
      !faults.some(
        ({ from, to }) => begunAt - underWayMilliseconds < to && at + underWayMilliseconds > from,
      ),
  );
  const differing = deliveries.filter((same) => new Set(same.map(({ hash }) => hash)).size > 1);
  return [
    [`messages at the receiver`, log.length, true],
    none(
      "to somebody else, or with another project's content",
      astray.map(({ to }) => to),
    ),
    none(
      "to people who had left",
      late.map(({ to }) => to),
    ),
    [`copies (at most ${allowance.copies})`, firsts.length, firsts.length <= allowance.copies],
    none(
      "copies of what was not under way when something was done",
      unexplained.map(({ to }) => to),
    ),
    none(
      "copies that differ",
      differing.map(([first]) => first?.to),
    ),
    none(
      "SENT by the records, but not arrived",
      emails
        .filter(({ id, status }) => status === "SENT" && !log.some(({ emailId }) => emailId === id))
        .map(({ recipient }) => recipient),
    ),
  ];
}

/** After the last fault, everything is taken again within seconds. */
function recoveryFindings({ urgent, faults, allowance }: Evidence): Finding[] {
  const over = Math.max(0, ...faults.map(({ to }) => to));
  const refused = (way: Way) =>
    urgent.filter((mail) => mail.way === way && mail.askedAt > over && !isTaken(mail));
  return ways.map((way): Finding => {
    const last = Math.max(
      over,
      ...refused(way).map(({ answeredAt, askedAt }) => answeredAt ?? askedAt),
    );
    const after = urgent.filter((mail) => mail.way === way && mail.askedAt > last && isTaken(mail));
    const seconds = (last - over) / 1_000;
    return [
      `${way}: last refusal after all was over, and taken since`,
      `${seconds.toFixed(1)} s, ${after.length}`,
      seconds <= allowance.recoverySeconds && after.length > 0,
    ];
  });
}

function answerFindings(
  { callers, urgent, allowance }: Evidence,
  answers: Answers,
  emails: readonly StoredEmail[],
  log: readonly Taken[],
): Finding[] {
  const silent = (answer: string | null) => answer === null || answer.startsWith("no answer");
  const wrong = urgent.filter(
    ({ answer }) =>
      !silent(answer) && !["200", "250"].includes(answer ?? "") && !isLater(answer ?? ""),
  );
  const unanswered = [
    ...urgent.filter(({ answer }) => silent(answer)).map(({ way, answer }) => `${way}: ${answer}`),
    ...Object.entries(answers).flatMap(([name, of]) =>
      Object.entries(of)
        .filter(([answer]) => silent(answer))
        .flatMap(([answer, times]) => Array.from({ length: times }, () => `${name}: ${answer}`)),
    ),
  ];
  const arrivedAt = new Set(log.map(({ to }) => to));
  const taken = urgent.filter((mail) => isTaken(mail));
  const keyed = [...callers.keyed].filter(([to, id]) => {
    const records = emails.filter(({ recipient }) => recipient === to);
    return records.length !== 1 || records[0]?.id !== decodeId("email", id) || !arrivedAt.has(to);
  });
  return [
    [`urgent mail taken, of`, `${taken.length} of ${urgent.length}`, taken.length > 0],
    none(
      "urgent mail taken and lost",
      taken.filter(({ way, to }) => way !== "inbound" && !arrivedAt.has(to)).map(({ to }) => to),
    ),
    none(
      "urgent mail refused for good",
      wrong.map(({ way, answer }) => `${way}: ${answer}`),
    ),
    none("answers that no outage explains", callers.faults),
    [
      `requests without an answer (at most ${allowance.unanswered})`,
      some(unanswered),
      unanswered.length <= allowance.unanswered,
    ],
    none(
      `${callers.keyed.size} sent under an Idempotency-Key, but not once`,
      keyed.map(([to]) => to),
    ),
  ];
}

/** What was acknowledged to callers has to be in the database. */
async function commitFindings(
  stand: FaultStand,
  { scene, callers, urgent }: Evidence,
): Promise<Finding[]> {
  const { projectId } = scene.shop;
  const present = await stand.ask((db) =>
    db.execute<{ email: string; stays: boolean }>(sql`
      select c.email, c.consent = 'subscribed' and s.email is null as stays from contacts c
      left join suppressions s on s.project_id = c.project_id and s.email = c.email
      where c.project_id = ${projectId}`),
  );
  const stays = new Map(present.map(({ email, stays: still }) => [email, still]));
  const [inbound] = await stand.ask((db) =>
    db.execute<{ count: number }>(sql`
      select count(*)::int as count from inbound_emails where project_id = ${projectId}`),
  );
  const takenIn = urgent.filter((mail) => mail.way === "inbound" && isTaken(mail)).length;
  return [
    none(
      `${callers.left.size} left, but stayed in the records`,
      [...callers.left.keys()].filter((email) => stays.get(email) !== false),
    ),
    none(
      `${callers.created.length} created, but are not there`,
      callers.created.filter((email) => !stays.has(email)),
    ),
    [
      `mail from others taken, and kept`,
      `${takenIn}, ${inbound?.count ?? 0}`,
      takenIn <= (inbound?.count ?? 0),
    ],
  ];
}

/** Compares the receiver's log, the records and what callers were told. */
export async function judge(stand: FaultStand, evidence: Evidence): Promise<Finding[]> {
  const { scene, callers, allowance } = evidence;
  const { log } = stand.receiver;
  const emails = await stand.ask((db) =>
    db.execute<StoredEmail>(sql`
      select id, project_id, campaign_id, recipient, status, exists (
        select from email_events v where v.email_id = e.id and v.name = 'suppressed') as suppressed
      from emails e`),
  );
  const arrived = Map.groupBy(log, ({ emailId }) => emailId);
  const leavers = new Set([...callers.left.keys(), ...callers.leaving]);
  const campaigns = await Promise.all(
    [scene.shop, scene.other].map(async (sender) => {
      const stored = await stand.ask((db) => storedCampaign(db, sender.campaign));
      const own = emails.filter((email) => email.campaign_id === sender.campaign);
      const gone = sender === scene.shop ? leavers : new Set<string>();
      return campaignFindings(sender, stored, { emails: own, arrived }, gone);
    }),
  );
  const ended = stand.programs().filter(({ endedByItself }) => endedByItself > 0);
  return [
    ...campaigns.flat(),
    ...mailFindings({ emails, log }, evidence),
    ...answerFindings(evidence, callers.answers, emails, log),
    ...(await commitFindings(stand, evidence)),
    ...recoveryFindings(evidence),
    [
      "programs that ended though nobody killed them",
      some(ended.map(({ name }) => name)),
      allowance.endings || ended.length === 0,
    ],
  ];
}
