import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/*
 * Loaded before a program: appends a line to LOOP_DELAY_FILE each second, the time and the longest delay
 * of the event loop since the line before, both in milliseconds.
 */

const file = process.env["LOOP_DELAY_FILE"];
if (file && isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  setInterval(() => {
    appendFileSync(file, `${Date.now()} ${Math.round(delay.max / 1e6)}\n`);
    delay.reset();
  }, 1_000).unref();
}
