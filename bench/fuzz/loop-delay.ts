import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/*
 * Loaded before a program: appends a line to LOOP_DELAY_FILE each second, the time and the longest delay
 * of the event loop since the line before, then what the main thread used of the processor while it stood still longest
 * and the longest garbage collection, all in milliseconds. A delay without either is the machine's.
 */

const stepMilliseconds = 10;

const file = process.env["LOOP_DELAY_FILE"];
if (file && isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: stepMilliseconds });
  delay.enable();
  let collected = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collected = Math.max(collected, duration);
  }).observe({ entryTypes: ["gc"] });
  let [longest, used] = [0, 0];
  let [at, before] = [performance.now(), process.threadCpuUsage()];
  setInterval(() => {
    const step = performance.now() - at;
    if (step > longest) {
      const { user, system } = process.threadCpuUsage(before);
      [longest, used] = [step, (user + system) / 1_000];
    }
    [at, before] = [performance.now(), process.threadCpuUsage()];
  }, stepMilliseconds).unref();
  setInterval(() => {
    const figures = [delay.max / 1e6, used, collected].map(Math.round);
    appendFileSync(file, `${Date.now()} ${figures.join(" ")}\n`);
    delay.reset();
    [longest, used, collected] = [0, 0, 0];
  }, 1_000).unref();
}
