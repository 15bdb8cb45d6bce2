import type fc from "fast-check";
import { glance } from "./looks";
import type { Product } from "./product";
import type { Model } from "./state";

export type Step = fc.AsyncCommand<Model, Product>;

/** A step, with the words that stand for it in a counterexample. Afterwards one look compares the two. */
export function step(
  words: string,
  input: unknown,
  run: (model: Model, product: Product) => Promise<void>,
  can: (model: Readonly<Model>) => boolean = () => true,
): Step {
  return {
    check: can,
    toString: () => `${words} ${JSON.stringify(input)}`,
    run: async (model, product) => {
      await run(model, product);
      await glance(model, product);
    },
  };
}
