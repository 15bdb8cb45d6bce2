import { spawn } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { supervise, type Supervised } from "./supervisor";

const running: Supervised[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.stop()));
});

/** Supervises a process that runs `source`; collects the ends nobody asked for. */
function superviseSource(source: string, graceSeconds = 10, silenceSeconds = 60) {
  const ends: { ending: string; waitSeconds: number }[] = [];
  const program = supervise({
    program: "worker",
    name: "example",
    graceSeconds,
    silenceSeconds,
    start: () =>
      spawn(process.execPath, ["-e", source], {
        detached: true,
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      }),
    onEnd: (ending, waitSeconds) => ends.push({ ending, waitSeconds }),
  });
  running.push(program);
  return { program, ends };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const serve = `process.send({ type: "ready", text: "port " + process.pid }); setInterval(() => {}, 1000);`;

/** Whether a process other than `former` is running. */
async function successor(program: Supervised, former: number): Promise<number> {
  return vi.waitUntil(() => (program.pid !== former ? program.pid : null), { timeout: 10_000 });
}

test("a process says where it serves, and is started again when it is killed", async () => {
  const { program, ends } = superviseSource(serve);
  expect(await program.ready).toBe(`port ${program.pid}`);
  const first = program.pid ?? 0;
  process.kill(first, "SIGKILL");
  expect(await successor(program, first)).not.toBe(first);
  expect(ends).toEqual([{ ending: "was ended by SIGKILL", waitSeconds: 0.5 }]);
});

test("one that ends before it serves rejects, and is tried again later and later", async () => {
  const { program, ends } = superviseSource("process.exit(3)");
  await expect(program.ready).rejects.toThrow("example ended with code 3");
  await vi.waitUntil(() => ends.length >= 2, { timeout: 10_000 });
  expect(ends.map(({ waitSeconds }) => waitSeconds).slice(0, 2)).toEqual([0.5, 1]);
});

test("a restart that was asked for waits for nothing and is no failure", async () => {
  const { program, ends } = superviseSource(serve);
  await program.ready;
  const first = program.pid ?? 0;
  program.restart();
  await successor(program, first);
  expect(ends).toEqual([]);
});

test("stopping lets a process end by itself and does not start it again", async () => {
  const { program, ends } = superviseSource(serve);
  await program.ready;
  const pid = program.pid ?? 0;
  await program.stop();
  expect(isAlive(pid)).toBe(false);
  expect(program.pid).toBeNull();
  expect(ends).toEqual([]);
});

test("one that does not heed SIGTERM is killed after its grace, its children too", async () => {
  const { program } = superviseSource(
    `const { spawn } = require("node:child_process");
     const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
     process.on("SIGTERM", () => {});
     process.send({ type: "ready", text: String(child.pid) });
     setInterval(() => {}, 1000);`,
    0.2,
  );
  const grandchild = Number(await program.ready);
  await program.stop();
  await vi.waitUntil(() => !isAlive(grandchild), { timeout: 5_000 });
});

test("what a process that ended left in its group does not live on", async () => {
  const { program, ends } = superviseSource(
    `const { spawn } = require("node:child_process");
     const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
     process.send({ type: "ready", text: String(child.pid) }, () => process.exit(1));`,
  );
  const left = Number(await program.ready);
  await vi.waitUntil(() => ends.length > 0, { timeout: 5_000 });
  await vi.waitUntil(() => !isAlive(left), { timeout: 5_000 });
});

test("a program that cannot be started at all is reported, not thrown", async () => {
  const ends: string[] = [];
  const program = supervise({
    program: "worker",
    name: "missing",
    graceSeconds: 1,
    silenceSeconds: 60,
    start: () => spawn("/nonexistent/program"),
    onEnd: (ending) => ends.push(ending),
  });
  running.push(program);
  await expect(program.ready).rejects.toThrow("could not be started");
  expect(ends[0]).toContain("ENOENT");
});

const beat = `setInterval(() => process.send({ type: "alive" }), 50);`;

test("one whose event loop is stuck is killed and started again", async () => {
  const { program, ends } = superviseSource(
    `${serve} ${beat} setTimeout(() => { for (;;); }, 300);`,
    10,
    0.5,
  );
  await program.ready;
  const first = program.pid ?? 0;
  expect(await successor(program, first)).not.toBe(first);
  expect(ends[0]).toEqual({ ending: "did not answer for 0.5 s and was killed", waitSeconds: 0.5 });
  await vi.waitUntil(() => !isAlive(first), { timeout: 5_000 });
});

test("one that answers is left alone, however busy, and so is one that never spoke", async () => {
  const busy = superviseSource(
    `${serve} ${beat} setInterval(() => { const end = Date.now() + 200; while (Date.now() < end); }, 10);`,
    10,
    1,
  );
  const silent = superviseSource("setInterval(() => {}, 1000);", 10, 0.2);
  await busy.program.ready;
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(busy.ends).toEqual([]);
  expect(silent.ends).toEqual([]);
});
