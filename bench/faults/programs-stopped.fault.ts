import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Kept } from "@/bench/chaos/kept";
import { graceSeconds } from "@/bin/start/children";
import { rehearse, unsound } from "./rehearse";
import { type FaultStand, type ProgramName } from "./stand";

/** One message in three is answered only after this long, so that a worker has something to wait for. */
const oneIn = 3;
const silenceMilliseconds = { least: 2_000, most: 6_000 };
/** Until some messages wait for their answer. */
const leadMilliseconds = 700;
/** From then on, a program that was told to stop begins nothing more. */
const heardMilliseconds = 2_000;

/** A worker may need as long as its receiver does, and a moment. */
const mostSeconds: Record<ProgramName, number> = {
  ...graceSeconds,
  worker: silenceMilliseconds.most / 1_000 + graceSeconds.web,
};

/** What is told to stop at once. */
const rounds: ProgramName[][] = [
  ["worker"],
  ["web"],
  ["smtp"],
  ["worker"],
  ["worker", "web", "smtp"],
];

/** Mail that is still held by somebody. */
async function heldMail(stand: FaultStand): Promise<number> {
  const [row] = await stand.ask((db) =>
    db.execute<{ held: number }>(sql`
      select count(*)::int as held from email_queue where lease_until > app_now()`),
  );
  return row?.held ?? 0;
}

test("programs told to stop in the middle of everything end in time, finish or give back their work, and copy nothing", async () => {
  const wrong: string[] = [];
  const findings = await rehearse({
    name: "programs are told to stop",
    // Of each but the worker there is one: while it starts again, nobody answers.
    allowance: { unanswered: Infinity },
    async strike({ stand, chance, arrived, harm, say }) {
      const stop = async (program: Kept, name: ProgramName) => {
        const from = performance.now();
        const code = await program.down("SIGTERM");
        const seconds = (performance.now() - from) / 1_000;
        const ending = `${program.name} ended with ${code} after ${seconds.toFixed(1)} s`;
        say(ending);
        if (code !== 0 || seconds > mostSeconds[name]) wrong.push(ending);
      };
      for (const [n, names] of rounds.entries()) {
        await arrived(0.05 + (0.8 * n) / rounds.length + 0.05 * chance.next());
        await stand.untilAllServe();
        stand.receiver.stall = (at) => {
          if (at !== "dot" || !chance.oneIn(oneIn)) return null;
          const { least, most } = silenceMilliseconds;
          return sleep(least + chance.below(most - least));
        };
        await sleep(leadMilliseconds);
        const heard = Date.now() + heardMilliseconds;
        const stopped = names.flatMap((name) =>
          stand.programs(name).map((program) => ({ name, program })),
        );
        await harm(`told to stop: ${names.join(", ")}`, () =>
          Promise.all(stopped.map(({ name, program }) => stop(program, name))),
        );
        if (names.includes("worker")) {
          const begun = stand.receiver.log.filter(({ begunAt }) => begunAt > heard).length;
          if (begun > 0) wrong.push(`workers began ${begun} mails after they were told to stop`);
          const held = await heldMail(stand);
          if (held > 0) wrong.push(`workers left ${held} mails to their leases`);
        }
        stand.receiver.stall = () => null;
        for (const { program } of stopped) program.up();
      }
      await harm("all programs start again", () => stand.untilAllServe());
    },
  });
  expect([...unsound(findings), ...wrong]).toEqual([]);
});
