import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { phases } from "./receiver";
import { rehearse, unsound, workers } from "./rehearse";
import { sessions } from "./stand";

/** One session in three falls silent, so that the rest shows whether it is held up. */
const oneIn = 3;
const silenceMilliseconds = { least: 4_000, most: 12_000 };
const strikeMilliseconds = 3_000;

test("a receiver that falls silent in any phase, after the final dot too, costs no mail and no copy", async () => {
  const findings = await rehearse({
    name: "the receiver falls silent",
    async strike({ stand, chance, arrived, harm }) {
      for (const [n, phase] of phases.entries()) {
        await arrived(0.05 + (0.8 * n) / phases.length);
        await harm(`it is silent at ${phase}`, async () => {
          const silences: Promise<unknown>[] = [];
          stand.receiver.stall = (at) => {
            if (at !== phase || !chance.oneIn(oneIn)) return null;
            const { least, most } = silenceMilliseconds;
            const silence = sleep(least + chance.below(most - least));
            silences.push(silence);
            return silence;
          };
          // The greeting is said to new sessions only.
          if (phase === "banner" || phase === "EHLO") stand.receiver.cut();
          await sleep(strikeMilliseconds);
          stand.receiver.stall = () => null;
          await Promise.all(silences);
        });
      }
    },
    // Two phases begin with new sessions: what was on the old ones is broken off.
    allowance: { copies: 2 * workers * sessions },
  });
  expect(unsound(findings)).toEqual([]);
});

test("a receiver that is silent for good, and then hangs up, costs no mail", async () => {
  const findings = await rehearse({
    name: "the receiver is silent for good",
    allowance: { copies: phases.length * workers * 200 },
    async strike({ stand, chance, arrived, harm }) {
      for (const [n, phase] of phases.entries()) {
        await arrived(0.05 + (0.8 * n) / phases.length);
        await harm(`it is silent at ${phase} until it hangs up`, async () => {
          const held = Promise.withResolvers<void>();
          stand.receiver.stall = (at) => (at === phase ? held.promise : null);
          if (phase === "banner" || phase === "EHLO") stand.receiver.cut();
          await sleep(strikeMilliseconds + chance.below(3_000));
          stand.receiver.stall = () => null;
          stand.receiver.cut();
          held.resolve();
        });
      }
    },
  });
  expect(unsound(findings)).toEqual([]);
});
