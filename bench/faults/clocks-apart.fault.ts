import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeClocks } from "./faked-clock";
import { rehearse, unsound, workers } from "./rehearse";
import { inFlight } from "./stand";

/** A clock is wrong by this much, one way or the other. */
const wrongSeconds = { least: 180, most: 600 };
const kills = 4;
const silentRounds = 4;
/** Until a clock that is put forward or back is seen to be. */
const seenMilliseconds = 1_200;
/** Until copies of what was under way at a kill have come about: longer than judge.ts looks around it. */
const calmMilliseconds = 12_000;
/** Some messages are answered only after their lease has run out, unless it is renewed. */
const silence = { oneIn: 6, leastMilliseconds: 11_000, mostMilliseconds: 16_000 };

const names = ["web 1", "worker 1", "worker 2", "smtp 1"] as const;
type Name = (typeof names)[number];

test("clocks minutes apart, and put forward and back, cost no mail, and copies only of what a killed worker had under way", async ({
  skip,
}) => {
  const made = makeClocks(names);
  if ("why" in made) return skip(made.why);
  const { clocks, clear } = made;
  clocks["worker 1"].set(wrongSeconds.most);
  clocks["worker 2"].set(-wrongSeconds.most);
  const findings = await rehearse({
    name: "clocks are apart",
    allowance: { copies: kills * inFlight },
    stand: {
      machines: [
        { host: "127.0.0.1", workers, env: (program, n) => clocks[`${program} ${n}` as Name].env },
      ],
    },
    async strike({ stand, chance, arrived, harm, say }) {
      const putWrong = async () => {
        const name = chance.pick(names);
        const { least, most } = wrongSeconds;
        const seconds = (least + chance.below(most - least)) * (chance.oneIn(2) ? 1 : -1);
        say(`the clock of ${name} is put to ${seconds} s`);
        clocks[name].set(seconds);
        await sleep(seenMilliseconds);
      };
      for (let kill = 0; kill < kills; kill++) {
        await arrived(0.05 + (0.4 * kill) / kills + 0.05 * chance.next());
        await putWrong();
        const worker = chance.pick(stand.programs("worker"));
        await harm(`${worker.name} is killed`, () => worker.kill());
      }
      await harm("all programs start again", () => stand.untilAllServe());
      // A copy from now on is of a mail that somebody took from a worker who lived.
      await sleep(calmMilliseconds);
      const { oneIn, leastMilliseconds, mostMilliseconds } = silence;
      const silences: Promise<unknown>[] = [];
      stand.receiver.stall = (at) => {
        if (at !== "dot" || !chance.oneIn(oneIn)) return null;
        const held = sleep(leastMilliseconds + chance.below(mostMilliseconds - leastMilliseconds));
        silences.push(held);
        return held;
      };
      for (let round = 0; round < silentRounds; round++) await putWrong();
      stand.receiver.stall = () => null;
      say(`${silences.length} messages are answered late`);
      await Promise.all(silences);
    },
  });
  clear();
  expect(unsound(findings)).toEqual([]);
});
