import { expect, test } from "vitest";
import { rehearse, unsound, workers } from "./rehearse";

const webs = 2;
const rounds = 2;
/** A web that ends may have connections it had not accepted yet, which the system resets. */
const unaccepted = 2;

/** FAULT_OLD is the checkout that the programs run from before they are replaced; this one if it is left out. */
const oldRoot = process.env["FAULT_OLD"];

test("webs and workers replaced one after the other under load cost no mail and no copy", async () => {
  const wrong: string[] = [];
  const findings = await rehearse({
    name: "programs are replaced",
    allowance: { unanswered: rounds * webs * unaccepted },
    stand: { machines: [{ host: "127.0.0.1", webs, workers }], ...(oldRoot && { oldRoot }) },
    async strike({ stand, arrived, harm, say }) {
      await stand.untilAllServe();
      for (let round = 0; round < rounds; round++) {
        await arrived(0.1 + (0.7 * round) / rounds);
        for (const program of [...stand.programs("web"), ...stand.programs("worker")]) {
          await harm(`${program.name} is replaced`, async () => {
            const from = performance.now();
            const code = await program.kill("SIGTERM");
            if (code !== 0) wrong.push(`${program.name} ended with ${code}`);
            await stand.untilAllServe();
            say(`another one serves after ${((performance.now() - from) / 1_000).toFixed(1)} s`);
          });
        }
      }
    },
  });
  expect([...unsound(findings), ...wrong]).toEqual([]);
});
