import fc from "fast-check";
import { test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { lookAtAll } from "@/lib/testing/model/looks";
import { Product } from "@/lib/testing/model/product";
import { Model } from "@/lib/testing/model/state";
import { stepsOfLists } from "@/lib/testing/model/steps-lists";
import { stepsOfPeople } from "@/lib/testing/model/steps-people";
import { settle, stepsOfSending } from "@/lib/testing/model/steps-sending";

/*
 * Chance takes steps with a project: people, lists, segments, suppressions, campaigns, single mail, and the worker.
 * Each is also taken with a plain model of what the API promises, and what reads answer is compared after each.
 * `npm run test:model` makes 2,000 runs. A failure prints a seed, a path and, in its last line, a replayPath:
 * MODEL_SEED, MODEL_PATH and MODEL_REPLAY repeat it.
 */

const database = useTestDatabase();
const { MODEL_RUNS = "20", MODEL_SEED, MODEL_PATH, MODEL_REPLAY } = process.env;
const runs = Number(MODEL_RUNS);
const seed = Number(MODEL_SEED ?? Date.now() % 2 ** 31);
const longestRunSeconds = 3;

const steps = fc.commands([...stepsOfPeople, ...stepsOfLists, ...stepsOfSending], {
  maxCommands: 40,
  size: "medium",
  ...(MODEL_REPLAY && { replayPath: MODEL_REPLAY }),
});

test(
  "any sequence of requests leaves what the plain model of the API says",
  async () => {
    console.log(`The model: ${runs} runs, MODEL_SEED=${seed}`);
    const property = fc.asyncProperty(steps, async (chosen) => {
      const model = new Model();
      const product = await Product.start(database);
      await fc.asyncModelRun(() => ({ model, real: product }), chosen);
      await settle(model, product);
      await lookAtAll(model, product);
    });
    await fc.assert(property, { numRuns: runs, seed, ...(MODEL_PATH && { path: MODEL_PATH }) });
  },
  (60 + runs * longestRunSeconds) * 1_000,
);
