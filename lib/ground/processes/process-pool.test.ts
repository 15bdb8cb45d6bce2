import { expect, it } from "vitest";
import { until } from "@/lib/testing/until";
import { ProcessPool } from "./process-pool";

const pool = new ProcessPool({
  file: "lib/testing/job-process.ts",
  processes: 3,
  perLane: 1,
  memoryMegabytes: 64,
  idleMilliseconds: 60_000,
});
const shared = { greeting: "Hello" };

function run(job: string, input: string, lane = "a", milliseconds = 50): Promise<unknown> {
  return pool.run({ lane, job, shared, input, milliseconds });
}

it("answers each input of what is asked for together", async () => {
  const names = Array.from({ length: 100 }, (_, n) => `${n}`);
  expect(await Promise.all(names.map((name) => run("greet", name)))).toEqual(
    names.map((name) => `Hello ${name}`),
  );
});

it("ends what spins or hoards, and nothing of the same batch with it", async () => {
  const outcomes = await Promise.allSettled([
    run("spin", "quick"),
    run("spin", "endless"),
    run("spin", "quick"),
    run("hoard", "modest"),
    run("hoard", "greedy"),
    run("hoard", "modest"),
  ]);
  expect(outcomes).toMatchObject([
    { value: "quick" },
    { reason: { reason: "time" } },
    { value: "quick" },
    { value: "modest" },
    // On a slow machine time runs out before memory does.
    { reason: { reason: expect.stringMatching(/^(time|memory)$/) as string } },
    { value: "modest" },
  ]);
});

it("survives a job that takes all the memory it is allowed", async () => {
  const hoarding = run("hoard", "greedy", "a", 60_000);
  await expect(hoarding).rejects.toMatchObject({ reason: "memory" });
  expect(await run("greet", "again")).toBe("Hello again");
});

it("has the answers before the one that is ended, however long they are", async () => {
  const outcomes = await Promise.allSettled(
    ["3000000", "3000000", "endless", "3000000"].map((length) => run("repeat", length, "a", 500)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
});

it("passes on what a job throws, and the process goes on", async () => {
  await expect(run("fail", "it")).rejects.toThrow("it failed");
  expect(await run("greet", "again")).toBe("Hello again");
});

it("leaves a lane its process, however many of another's are ended", async () => {
  const order: string[] = [];
  const spinning = Array.from({ length: 6 }, () =>
    run("spin", "endless", "slow").catch(() => order.push("slow")),
  );
  const others = ["b", "c", "d"].map((lane) =>
    run("greet", lane, lane).then(() => order.push(lane)),
  );
  await Promise.all([...spinning, ...others]);
  expect(
    order
      .slice(0, 5)
      .filter((lane) => lane !== "slow")
      .toSorted(),
  ).toEqual(["b", "c", "d"]);
});

it("says so when its processes cannot start", async () => {
  const broken = new ProcessPool({
    file: "lib/testing/no-such-process.ts",
    processes: 1,
    perLane: 1,
    memoryMegabytes: 64,
    idleMilliseconds: 60_000,
  });
  await expect(
    broken.run({ lane: "a", job: "greet", shared, input: "x", milliseconds: 50 }),
  ).rejects.toThrow("no-such-process.ts");
});

it.each(["readFile", "writeFile", "execFile", "Worker"])(
  "keeps from its processes what they do not need: %s",
  async (what) => {
    await expect(run("reach", what)).rejects.toThrow("Access to this API has been restricted");
  },
);

it("keeps the secrets of the environment from its processes", async () => {
  expect(process.env).toHaveProperty("APP_SECRET");
  expect(await run("reach", "secrets")).toEqual([]);
});

it("lets go of processes that have nothing to do, but for one", async () => {
  const brief = new ProcessPool({
    file: "lib/testing/job-process.ts",
    processes: 3,
    perLane: 1,
    memoryMegabytes: 64,
    idleMilliseconds: 200,
  });
  const greet = (lane: string) =>
    brief.run({ lane, job: "greet", shared, input: lane, milliseconds: 50 });
  await Promise.all(["a", "b", "c"].map(greet));
  expect(brief.size).toBe(3);
  await until(() => brief.size === 1);
  expect(await greet("a")).toBe("Hello a");
});

it("does not charge the first input for the start of its process", async () => {
  const cold = new ProcessPool({
    file: "lib/testing/job-process.ts",
    processes: 1,
    perLane: 1,
    memoryMegabytes: 64,
    idleMilliseconds: 60_000,
  });
  // It waits for longer than it may work, as on a machine that is busy with other things.
  const waiting = cold.run({ lane: "a", job: "wait", shared, input: "600", milliseconds: 20 });
  expect(await waiting).toBe("600");
});

it("tries what overran in the middle of a batch once more, with the time of a first one", async () => {
  const outcomes = await Promise.allSettled([
    run("work", "10"),
    run("work", "200"),
    run("work", "201"),
    run("work", "Infinity"),
    run("work", "10"),
  ]);
  expect(outcomes).toMatchObject([
    { value: "10" },
    { value: "200" },
    { value: "201" },
    { reason: { reason: "time" } },
    { value: "10" },
  ]);
});

it("sends a process what its tasks share once", async () => {
  const sent: string[] = [];
  // Read whenever it is written to a process.
  const counted = {
    get greeting() {
      sent.push("greeting");
      return "Hello";
    },
  };
  for (let turn = 0; turn < 3; turn++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        pool.run({
          ...{ lane: "shared", job: "greet", shared: counted, input: `n${n}`, milliseconds: 500 },
        }),
      ),
    );
    expect(answers).toHaveLength(20);
    expect(answers[7]).toBe("Hello n7");
  }
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThanOrEqual(3);
});
