import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { serveJobs } from "@/lib/ground/processes/serve";

function endless(): never {
  for (;;);
}

/** What the processes of a pool cannot do, by its name. */
const beyond: Record<string, () => unknown> = {
  readFile: () => readFileSync("package.json"),
  writeFile: () => writeFileSync(join(tmpdir(), "written-by-a-job"), ""),
  execFile: () => execFileSync(process.execPath, ["--version"]),
  Worker: () => new Worker("", { eval: true }),
  secrets: () => Object.keys(process.env).filter((name) => /secret|database/i.test(name)),
};

/** Jobs that a pool has to end, and some that it need not. */
serveJobs({
  greet: ({ greeting }: { greeting: string }, name: string) => `${greeting} ${name}`,
  spin(_: unknown, name: string) {
    while (name !== "quick");
    return name;
  },
  /** Keeps the processor busy for so many milliseconds. */
  work(_: unknown, milliseconds: string) {
    const before = process.cpuUsage();
    const worked = () => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    while (worked() < Number(milliseconds));
    return milliseconds;
  },
  /** Leaves the processor idle for so many milliseconds. */
  async wait(_: unknown, milliseconds: string) {
    await sleep(Number(milliseconds));
    return milliseconds;
  },
  hoard(_: unknown, name: string) {
    const held: string[][] = [];
    while (name !== "modest") held.push(Array.from({ length: 10_000 }, (_, n) => `${name}${n}`));
    return name;
  },
  repeat: (_: unknown, length: string) => (length === "endless" ? endless() : "x".repeat(+length)),
  reach: (_: unknown, what: string) => beyond[what]?.(),
  fail(_: unknown, name: string) {
    throw new Error(`${name} failed`);
  },
});
