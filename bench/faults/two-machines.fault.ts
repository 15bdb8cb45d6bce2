import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { commonHost, makeNetworks, startOnBridge } from "./networks";
import { rehearse, unsound } from "./rehearse";
import { inFlight } from "./stand";

/** Once shorter than a worker's silence is taken for its death, and once longer than that. */
const cutSeconds = [6, 40];
/** Requests of a second that its callers make to one machine, each of which may get no answer. */
const requestsPerSecond = 12;

test("a machine that is cut off from the network in the middle of a campaign, and joined again, costs no mail, and copies only of what it had under way", async ({
  skip,
}) => {
  const made = makeNetworks(2);
  if ("why" in made) return skip(made.why);
  const [, second] = made.machines;
  const findings = await rehearse({
    name: "one of two machines is cut off",
    allowance: {
      copies: cutSeconds.length * inFlight,
      unanswered: cutSeconds.reduce((sum, seconds) => sum + (seconds + 5) * requestsPerSecond, 0),
      onTheWay: 1_000 * Math.max(...cutSeconds),
    },
    stand: {
      host: commonHost,
      startDatabase: startOnBridge,
      machines: made.machines.map(({ host, prefix }) => ({ host, prefix, workers: 1 })),
    },
    async strike({ arrived, harm }) {
      for (const [nth, seconds] of cutSeconds.entries()) {
        await arrived(0.15 + 0.25 * nth);
        await harm(`the second machine is cut off for ${seconds} s`, async () => {
          second?.cut();
          await sleep(seconds * 1_000);
          second?.join();
        });
      }
    },
  }).finally(made.clear);
  expect(unsound(findings)).toEqual([]);
});
