import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { sqlState, violatedConstraint } from "@/db/errors";
import { learnedMilliseconds } from "@/lib/domain/projects/moves";
import { counted } from "@/lib/ground/amount";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { Fault } from "@/bin/start/fault";
import { compare, withRows } from "./compare";
import { copyChanges, copyRows, inSnapshot, type Ends } from "./copy";
import { Copying, differ } from "./copying";
import { heldMail, waitForBegun } from "./drain";
import {
  alignPositions,
  checkConflicts,
  checkEnds,
  checkHold,
  identityOf,
  openSource,
  openTarget,
} from "./ends";
import { closeFence, raiseFence } from "./fence";
import { Files } from "./files";
import { goOnHere } from "./go-on-here";
import { endHere } from "./leave";
import { lockMove } from "./lock";
import { alignMonths } from "./months";
import { copyPeople, findOtherIds, isSame } from "./people";
import { earlyTables, isDue, isOf, lateTables, quoted, selected, type Planned } from "./plan";
import {
  arrivalOf,
  beginArrival,
  beginLeaving,
  holdArrival,
  markArrived,
  requireProject,
  setState,
  stateOf,
} from "./states";

/*
 * Moves one project to another database while it is used. docs/decisions/0088 says why it is right. Whatever
 * breaks off is taken up by the same command: each step ends with what both databases have committed.
 */

interface MoveOptions {
  source: string;
  target: string;
  /** uuid */
  projectId: string;
  /** The target's APP_URL, which the source names to whoever asks. */
  url: string;
  /** Where the target keeps files: see Files. */
  files: string | null;
  /** For how long mail that is being handed over is waited for. */
  waitSeconds: number;
  /** Told what is done next. */
  say: (step: string) => void;
}

export interface MoveFigures {
  rows: number;
  /** Copied while the project was used, how fast, and what changed meanwhile. */
  copied: number;
  rowsPerSecond: number;
  changes: number;
  files: number;
  /** From the first request that was refused until the project was open at the target. */
  closedSeconds: number;
}

/**
 * Moves the project, or goes on with a move that broke off; null: it was open at the target already. Throws a Fault.
 */
export async function moveProject(options: MoveOptions): Promise<MoveFigures | null> {
  const { source: sourceUrl, target: targetUrl, projectId } = options;
  const source = openSource(sourceUrl);
  try {
    await lockMove(source, projectId);
    const target = await openTarget(targetUrl);
    try {
      await checkEnds(source, target, targetUrl);
      return await new Move(source, target, options).run();
    } finally {
      await target.end({ timeout: 5 });
    }
  } finally {
    await source.end({ timeout: 5 });
  }
}

class Move {
  readonly #source: postgres.Sql;
  readonly #target: postgres.Sql;
  readonly #options: MoveOptions;
  readonly #projectId: string;
  readonly #files: Files;
  readonly #copying: Copying;
  #moveId = "";
  /** As the large tables were copied. */
  #people: Ends["people"] = new Map();

  constructor(source: postgres.Sql, target: postgres.Sql, options: MoveOptions) {
    this.#source = source;
    this.#target = target;
    this.#options = options;
    this.#projectId = options.projectId;
    this.#files = new Files(options.files);
    this.#copying = new Copying(this.#files, options.say);
  }

  async run(): Promise<MoveFigures | null> {
    const { say } = this.#options;
    if (await this.#begin()) {
      await this.#finish();
      return null;
    }
    say("fence");
    await raiseFence(this.#source, this.#projectId);
    await alignPositions(this.#source, this.#target);
    await alignMonths(this.#source, this.#target);
    const ends = await this.#ends();
    this.#people = ends.people;
    await this.#copying.all(ends);
    const figures = await this.#leave(ends);
    await this.#finish();
    return figures;
  }

  /** Takes the move up where it is; resolves to whether the project is open at the target already. */
  async #begin(): Promise<boolean> {
    const [source, target, projectId] = [this.#source, this.#target, this.#projectId];
    const { url } = this.#options;
    const [before, arrival] = [
      await stateOf(source, projectId),
      await arrivalOf(target, projectId),
    ];
    const to = await identityOf(target);
    if (before?.state === "moved") throw new Fault(`The project has moved to ${before.url}.`);
    const goesOn = before !== null && before.state !== "arrived" && before.state !== "arriving";
    const isKnown = goesOn && arrival?.moveId === before.moveId;
    if (goesOn && before.target !== to) {
      throw new Fault(
        "This move goes to another database: name that one, or end it with `lettermill project move-cancel`.",
      );
    }
    if (isKnown && arrival.state === "arrived") return true;
    // Whether it was opened there, nobody can say any more.
    if (goesOn && !isKnown && before.state === "closed") {
      throw new Fault(
        "The target has forgotten this move. If the project is not there, `lettermill project move-cancel` opens it here again.",
      );
    }
    await requireProject(source, projectId);
    await checkHold(this.#options.source, projectId);
    await this.#files.check(source, projectId);
    await checkConflicts(source, target, projectId);
    this.#moveId = goesOn ? before.moveId : newUnownedId();
    await beginArrival(target, projectId, this.#moveId);
    const leaving = { projectId, moveId: this.#moveId, target: to, url };
    await source.begin((tx) => beginLeaving(tx, { ...leaving, filesShared: this.#files.shared }));
    return false;
  }

  async #ends(): Promise<Ends> {
    const [source, target, projectId] = [this.#source, this.#target, this.#projectId];
    const people = await findOtherIds(source, target, projectId);
    return { source, target, projectId, moveId: this.#moveId, people };
  }

  /** From the last of its work here until it is open there. Whatever fails on the way, the project goes on here. */
  async #leave(ends: Ends): Promise<MoveFigures> {
    try {
      await this.#drain(ends);
      return await this.#closeAndOpen();
    } catch (error) {
      // What went wrong may have left the move's own connections in the middle of something.
      await Promise.all([this.#source.end({ timeout: 1 }), this.#target.end({ timeout: 1 })]);
      await goOnHere({ ...this.#options, moveId: this.#moveId });
      if (sqlState(error) !== "23505") throw error;
      throw new Fault(
        `The target has a row of another project that excludes one of this (${violatedConstraint(error) ?? "a unique index"}); it goes on here.`,
      );
    }
  }

  /** No more of its work is begun; what is under way is waited for. */
  async #drain(ends: Ends): Promise<void> {
    const { say, waitSeconds, source } = this.#options;
    await checkHold(source, this.#projectId);
    say("drain");
    await setState(this.#source, this.#projectId, "draining");
    const held = await waitForBegun(this.#source, this.#projectId, waitSeconds);
    if (held > 0) {
      throw new Fault(
        `Mail is still being handed over after ${waitSeconds} s (${counted(held, "email")}); the project goes on here. Try again, with a longer --wait.`,
      );
    }
    await this.#copying.changes(ends);
  }

  async #closeAndOpen(): Promise<MoveFigures> {
    const { say } = this.#options;
    say("close");
    const began = performance.now();
    await setState(this.#source, this.#projectId, "closing");
    await sleep(learnedMilliseconds + 100);
    await closeFence(this.#source, this.#projectId);
    say("closed");
    const rows = await inSnapshot(this.#source, (from) => this.#open(from));
    return this.#figures(rows, (performance.now() - began) / 1000);
  }

  /** All that is left, compared and opened in one transaction of the target; resolves to the rows that are there. */
  async #open(from: postgres.TransactionSql): Promise<number> {
    const { say } = this.#options;
    const [projectId, target] = [this.#projectId, this.#target];
    let rows = 0;
    await target.begin(async (to) => {
      await holdArrival(from, to, { projectId, moveId: this.#moveId });
      // This connection has had the lock, and closed the project, since before the target was held.
      if ((await stateOf(from, projectId))?.state !== "closed") {
        throw new Fault("Another command has taken this move over.");
      }
      await requireProject(from, projectId);
      await markArrived(to, projectId);
      const people = await findOtherIds(from, to, projectId);
      if (!isSame(people, this.#people)) {
        throw new Fault(
          "The people who work on the project have changed at one of the two ends; it goes on here. Try again.",
        );
      }
      const ends = { source: this.#source, target, projectId, moveId: this.#moveId, people };
      if ((await heldMail(from, projectId)) > 0) {
        throw new Fault(
          "A worker has begun mail of the project meanwhile; it goes on here. Try again.",
        );
      }
      this.#copying.noted += await copyChanges(ends, earlyTables, from, to);
      await copyPeople(from, to, projectId, people);
      const rest = (table: Planned) => (table.early ? isDue(table, true) : "true");
      const last = [...lateTables, ...earlyTables.filter(({ dueColumn }) => dueColumn !== null)];
      for (const table of await withRows(from, last, projectId, rest)) {
        await copyRows(
          from,
          `select ${selected(table, people)} from ${quoted(table.name)}
            where ${isOf(table, projectId)} and ${rest(table)}`,
          to,
          table,
        );
      }
      await this.#files.copy(from, projectId);
      say("compare");
      const compared = await compare({ projectId, people, from, to }, last, rest);
      if (compared.differing.length > 0) throw differ(compared.differing);
      rows = this.#copying.compared + compared.rows;
      say("open");
    });
    return rows;
  }

  #figures(rows: number, closedSeconds: number): MoveFigures {
    return {
      rows,
      copied: this.#copying.rows,
      rowsPerSecond: this.#copying.rowsPerSecond,
      changes: this.#copying.noted,
      files: this.#files.copied,
      closedSeconds: Math.round(closedSeconds * 1000) / 1000,
    };
  }

  async #finish(): Promise<void> {
    this.#options.say("end here");
    await endHere(this.#source, this.#projectId);
    this.#options.say("done");
  }
}
