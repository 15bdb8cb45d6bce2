import { faultsIn, type Answers } from "./answers";
import type { Arrival } from "./judge";
import { ways, type Urgent } from "./neighbour";
import type { ChaosStand } from "./stand";

/** Share of its pace that a campaign keeps while another project throws bombs. */
const leastKeptPace = 0.8;
/** From the request to the mail server, for 99 of 100. */
const urgentMilliseconds = 1_000;

export type Finding = [what: string, found: unknown, sound: boolean];

/** From when to when something was measured, in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** What a project had while another threw bombs. */
export interface Beside {
  /** Mails a second, alone and beside the bombs. */
  pace: { alone: number; bombed: number };
  /** Nothing was killed meanwhile. */
  spans: { alone: Span; bombed: Span };
  urgent: readonly Urgent[];
  answers: Answers;
}

const isTaken = ({ answer }: Urgent) => answer === "200" || answer === "250";

/** How long urgent mail of one way took within a span; Infinity: it was refused or never came. */
function durations(mails: readonly Urgent[], arrivedAt: Map<string, number>, { from, to }: Span) {
  return mails
    .filter(({ askedAt }) => askedAt >= from && askedAt < to)
    .map((mail) => {
      // Mail from others is done when it has been taken.
      const doneAt = mail.way === "inbound" ? mail.answeredAt : arrivedAt.get(mail.to);
      return isTaken(mail) ? (doneAt ?? Infinity) - mail.askedAt : Infinity;
    })
    .sort((a, b) => a - b);
}

const share = (sorted: readonly number[], part: number) =>
  sorted[Math.ceil(sorted.length * part) - 1] ?? Infinity;

/** Median, 99th of 100 and longest, in milliseconds, and of how many. */
const inWords = (sorted: readonly number[]) =>
  `${share(sorted, 0.5)}, ${share(sorted, 0.99)}, ${share(sorted, 1)} ms of ${sorted.length}`;

/** `503 (4), no answer (1)` */
const otherAnswers = (mails: readonly Urgent[], { from, to }: Span) =>
  [
    ...Map.groupBy(
      mails.filter((mail) => mail.askedAt >= from && mail.askedAt < to && !isTaken(mail)),
      ({ answer }) => answer,
    ),
  ].map(([answer, those]) => `${answer} (${those.length})`);

/** Compares what the neighbour had alone with what it had beside the bombs. */
export function besideFindings(
  stand: ChaosStand,
  { pace, spans, urgent, answers }: Beside,
  { arrivals, mostCopies }: { arrivals: readonly Arrival[]; mostCopies: number },
): Finding[] {
  const arrivedAt = new Map<string, number>();
  for (const { to, at } of arrivals) arrivedAt.set(to, Math.min(at, arrivedAt.get(to) ?? Infinity));
  const keptPace = pace.bombed / pace.alone;
  const sent = urgent.filter(({ way }) => way !== "inbound");
  const lost = sent.filter((mail) => isTaken(mail) && !arrivedAt.has(mail.to));
  const copies = arrivals.length - arrivedAt.size;
  const refused = otherAnswers(urgent, spans.bombed);
  const faults = faultsIn(answers);
  const ended = stand.endedByThemselves;
  return [
    [
      "mails a second alone, and beside another project's bombs",
      `${pace.alone.toFixed(0)}, ${pace.bombed.toFixed(0)} (${Math.round(keptPace * 100)} %)`,
      keptPace >= leastKeptPace,
    ],
    ...ways.map((way): Finding => {
      const ofWay = urgent.filter((mail) => mail.way === way);
      const alone = durations(ofWay, arrivedAt, spans.alone);
      const bombed = durations(ofWay, arrivedAt, spans.bombed);
      return [
        `urgent mail (${way}), median, 99 of 100 and longest alone, and beside the bombs`,
        `${inWords(alone)}; ${inWords(bombed)}`,
        bombed.length > 0 && share(bombed, 0.99) <= urgentMilliseconds,
      ];
    }),
    ["urgent mail that was refused beside the bombs", refused.join(", "), refused.length === 0],
    ["urgent mail that was taken and is lost", lost.length, lost.length === 0],
    ["copies of urgent mail", copies, copies <= mostCopies],
    ["bombs answered with a fault of ours", faults.join("; "), faults.length === 0],
    ["programs that ended though nobody killed them", ended.join(", "), ended.length === 0],
    ["most memory that each program had", stand.memory.join(", "), true],
  ];
}
