import type postgres from "postgres";
import { Fault } from "@/bin/start/fault";
import { compare } from "./compare";
import { copyChanges, copyTable, emptyTable, forgetChanges, inSnapshot, type Ends } from "./copy";
import type { Files } from "./files";
import { earlyTables, isDue, type Planned } from "./plan";
import { holdArrival } from "./states";

/** Passes over what has changed end when so few changes are left, or at last. */
const fewChanges = 1_000;
const mostPasses = 12;
const mostComparisons = 3;

export const differ = (tables: readonly Planned[]) =>
  new Fault(
    `The copies of ${tables.map(({ name }) => name).join(", ")} are not the same; the project goes on here.`,
  );

/** What is copied while the project is used, and how much that was. */
export class Copying {
  rows = 0;
  /** Changes that were noted and copied. */
  noted = 0;
  /** Rows of the large tables, when they were compared. */
  compared = 0;
  #seconds = 0;
  readonly #files: Files;
  readonly #say: (step: string) => void;

  constructor(files: Files, say: (step: string) => void) {
    this.#files = files;
    this.#say = say;
  }

  get rowsPerSecond(): number {
    return this.#seconds > 0 ? Math.round(this.rows / this.#seconds) : 0;
  }

  /** Files and large tables, until few changes are left to be copied; all of it is compared then. */
  async all(ends: Ends): Promise<void> {
    const began = performance.now();
    for (const table of earlyTables) {
      this.#say(`copy ${table.name}`);
      await copyTable(ends, table, (rows) => {
        this.rows += rows;
      });
    }
    this.#seconds = (performance.now() - began) / 1000;
    this.#say("files");
    await this.#files.copy(ends.source, ends.projectId);
    let changes = Infinity;
    for (let pass = 1; pass <= mostPasses && changes > fewChanges; pass++) {
      this.#say(`changes ${pass}`);
      ({ changes } = await this.changes(ends));
    }
    await this.#verify(ends);
  }

  /** One pass over what has changed; afterwards the target has what `work`, too, sees of the source. */
  async changes<Result>(
    ends: Ends,
    work?: (from: postgres.TransactionSql, to: postgres.TransactionSql) => Promise<Result>,
  ): Promise<{ changes: number; result: Result | undefined }> {
    const { seen, ...pass } = await inSnapshot(ends.source, async (from, snapshot) => {
      const done = await ends.target.begin(async (to) => {
        await holdArrival(from, to, ends);
        return {
          changes: await copyChanges(ends, earlyTables, from, to),
          result: await work?.(from, to),
        };
      });
      return { seen: snapshot, ...(done as { changes: number; result: Result | undefined }) };
    });
    await forgetChanges(ends, seen);
    this.noted += pass.changes;
    return pass;
  }

  /** Compares every row of the large tables, and copies a table once more that the target's clean-up has been at. */
  async #verify(ends: Ends): Promise<void> {
    const { projectId, people } = ends;
    for (let attempt = 1; ; attempt++) {
      this.#say(`compare ${attempt}`);
      const { result } = await this.changes(ends, (from, to) =>
        compare({ projectId, people, from, to }, earlyTables, (table) => isDue(table, false)),
      );
      this.compared = result?.rows ?? 0;
      if (!result || result.differing.length === 0) return;
      if (attempt === mostComparisons) throw differ(result.differing);
      for (const table of result.differing) {
        await emptyTable(ends, table);
        await copyTable(ends, table, (rows) => {
          this.rows += rows;
        });
      }
    }
  }
}
