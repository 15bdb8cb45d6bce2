import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "@/lib/testing/until";
import { rehearse, unsound, workers } from "./rehearse";
import { inFlight, type ProgramName } from "./stand";

/** How often each program is killed; of workers each one. */
const killsOfEach = 5;
const longestPauseMilliseconds = 1_500;

test("programs killed again and again cost no mail, nothing acknowledged, and copies only of what a worker had under way", async () => {
  const names: ProgramName[] = ["web", "smtp", "worker"];
  const findings = await rehearse({
    name: "programs are killed",
    allowance: { unanswered: Infinity, copies: killsOfEach * workers * inFlight },
    async strike({ stand, chance, arrived, harm }) {
      const left = names
        .flatMap((name) => stand.programs(name))
        .flatMap((program) => Array.from({ length: killsOfEach }, () => program));
      const kills = left.length;
      for (let kill = 0; kill < kills; kill++) {
        await arrived(0.02 + (0.85 * kill) / kills);
        await sleep(chance.below(longestPauseMilliseconds));
        const [program] = left.splice(chance.below(left.length), 1);
        if (!program) return;
        // It may have been killed just before: then as soon as it is started again, which is a moment like any other.
        await until(() => program.running, { what: `${program.name} is started again` });
        await harm(`${program.name} is killed`, () => program.kill());
      }
      await harm("all programs start again", () => stand.untilAllServe());
    },
  });
  expect(unsound(findings)).toEqual([]);
});
