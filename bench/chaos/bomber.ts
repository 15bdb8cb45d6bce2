import { setTimeout as sleep } from "node:timers/promises";
import { database, closeDatabase } from "@/db/client";
import { noteAnswer, type Answers } from "./answers";
import { badServerBombs } from "./bad-servers";
import { importBombs } from "./imports";
import { largeDataBombs } from "./large-data";
import { readBombs } from "./reads";
import { requestBombs } from "./requests";
import type { Doors } from "./doors";
import { Target, type Wave } from "./target";
import { trickleBombs } from "./trickles";
import { viewBombs } from "./views";

/*
 * Another project's bombs, in a process of their own: what they cost to throw must not hold up who measures.
 * `bomber.ts DOORS [PART]`: prepares all of them, or those of files whose name begins with PART; throws them
 * when told "throw", and at "stop" says what they were answered.
 */

const kinds: Record<string, (target: Target) => Promise<Wave[]>> = {
  requests: requestBombs,
  trickles: trickleBombs,
  "large-data": largeDataBombs,
  views: viewBombs,
  imports: importBombs,
  reads: readBombs,
  "bad-servers": badServerBombs,
};
/** What waits before a bomb that was refused for its pace, or for want of room, is thrown again. */
const refusedMilliseconds = 200;

const [doors = "", part = ""] = process.argv.slice(2);
const answers: Answers = {};
const stopping = new AbortController();
const { signal } = stopping;
process.once("disconnect", () => process.exit(0));

const target = await Target.make(database(), {
  doors: JSON.parse(doors) as Doors,
  signal,
  answers,
});
const waves: Wave[] = [];
for (const [name, prepare] of Object.entries(kinds)) {
  if (name.startsWith(part)) waves.push(...(await prepare(target)));
}
if (waves.length === 0) throw new Error(`There are no bombs called ${part}.`);
// What they need is there, and Postgres will be killed.
await closeDatabase();

async function throwInTurn({ lanes, bombs, pauseMilliseconds = 0 }: Wave): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (!signal.aborted) {
      const bomb = bombs[next++ % bombs.length];
      if (!bomb) return;
      const answer = await bomb.throw();
      noteAnswer(answers, bomb.name, answer);
      // The limit does its work here and needs no help.
      const isRefused = /^(4|503)|without a word/.test(answer);
      await sleep(Math.max(pauseMilliseconds, isRefused ? refusedMilliseconds : 0), null, {
        signal,
      }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

let thrown: Promise<unknown> = Promise.resolve();
process.on("message", (word: "throw" | "stop") => {
  if (word === "throw") {
    thrown = Promise.all(waves.map(throwInTurn));
    return;
  }
  stopping.abort();
  void thrown.then(() => process.send?.({ answers }));
});
process.send?.("ready");
