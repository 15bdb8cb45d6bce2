import { expect, it } from "vitest";
import { ThreadPool } from "./thread-pool";

const pool = new ThreadPool({
  file: "lib/testing/job-thread.ts",
  threads: 3,
  perLane: 1,
  memoryMegabytes: 64,
});
const shared = { greeting: "Hello" };

function run(job: string, input: string, lane = "a"): Promise<unknown> {
  return pool.run({ lane, job, shared, input, milliseconds: 50 });
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

it("passes on what a job throws, and the thread goes on", async () => {
  await expect(run("fail", "it")).rejects.toThrow("it failed");
  expect(await run("greet", "again")).toBe("Hello again");
});

it("leaves a lane its thread, however many of another's are ended", async () => {
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

it("says so when its threads cannot start", async () => {
  const broken = new ThreadPool({
    file: "lib/testing/no-such-thread.ts",
    threads: 1,
    perLane: 1,
    memoryMegabytes: 64,
  });
  await expect(
    broken.run({ lane: "a", job: "greet", shared, input: "x", milliseconds: 50 }),
  ).rejects.toThrow();
});
