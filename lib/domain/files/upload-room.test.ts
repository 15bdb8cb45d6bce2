import type * as promises from "node:fs/promises";
import { mkdtemp, readdir, rm, statfs, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { withStaged } from "./stage";
import { withUploadRoom } from "./upload-room";

vi.mock("node:fs/promises", async (original) => {
  const actual = await original<typeof promises>();
  return { ...actual, statfs: vi.fn(actual.statfs) };
});

const uploads = globalThis as { lettermillUploads?: unknown };
const refused = { code: "UNAVAILABLE" };
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lettermill-test-"));
});
afterEach(() => {
  delete uploads.lettermillUploads;
  vi.restoreAllMocks();
});
afterAll(() => rm(folder, { recursive: true }));

const upload = (projectId: string, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) =>
  withUploadRoom({ projectId, folder }, source, (file) =>
    withStaged(folder, file, ({ size }) => Promise.resolve(size)),
  );

/** An upload that sends one byte, and the rest once it is let go. */
function trickle(projectId: string) {
  const rest = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  async function* source() {
    yield Buffer.from("a");
    begun.resolve();
    await rest.promise;
    yield Buffer.from("b");
  }
  const outcome = upload(projectId, source()).then(
    (size) => size,
    (error: { code: string }) => error.code,
  );
  return { begun: begun.promise, end: () => rest.resolve(), outcome };
}
const trickles = (projectId: string, many: number) =>
  Array.from({ length: many }, () => trickle(projectId));

test("a project's uploads that trickle in take half of the places, and others' find one", async () => {
  const slow = trickles("a", 32);
  await Promise.all(slow.map(({ begun }) => begun));
  const further = upload("a", [Buffer.from("one more")]);
  expect(await upload("b", [Buffer.from("hello")])).toBe(5);
  slow[0]?.end();
  expect(await further).toBe(8);
  for (const { end } of slow) end();
  expect(await Promise.all(slow.map(({ outcome }) => outcome))).toEqual(slow.map(() => 2));
  expect(await readdir(folder)).toEqual([]);
});

test("uploads that trickle in from two projects give way to a third, and leave nothing on the disk", async () => {
  const slow = [...trickles("a", 32), ...trickles("b", 32)];
  await Promise.all(slow.map(({ begun }) => begun));
  const later = performance.now() + 61_000;
  vi.spyOn(performance, "now").mockReturnValue(later);
  expect(await upload("c", [Buffer.from("hello")])).toBe(5);
  await turn();
  const lost = await Promise.race([...slow.map(({ outcome }) => outcome)]);
  expect(lost).toBe("UNAVAILABLE");
  expect(await readdir(folder)).toHaveLength(63);
  for (const { end } of slow) end();
  const outcomes = await Promise.all(slow.map(({ outcome }) => outcome));
  expect(outcomes.filter((outcome) => outcome === 2)).toHaveLength(63);
  expect(await readdir(folder)).toEqual([]);
});

test("what a project uploads at once takes half of the room on the disk, and another's file fits", async () => {
  const chunk = Buffer.alloc(64 * 1024 ** 2);
  async function* large(chunks: number) {
    for (let sent = 0; sent < chunks; sent++) yield await Promise.resolve(chunk);
  }
  // Nothing is written: this is about what is counted.
  const counted = (projectId: string, chunks: number, more: () => Promise<unknown>) =>
    withUploadRoom({ projectId, folder }, large(chunks), async (file) => {
      for await (const _ of file);
      await more();
    });
  const twoGigabytes = 32;
  await counted("a", twoGigabytes, () =>
    counted("a", twoGigabytes, async () => {
      await expect(upload("a", [Buffer.from("one more")])).rejects.toMatchObject(refused);
      await counted("b", twoGigabytes, () => Promise.resolve());
    }),
  );
  await expect(counted("a", 2 * twoGigabytes + 1, () => Promise.resolve())).rejects.toMatchObject(
    refused,
  );
  expect(await upload("a", [Buffer.from("again")])).toBe(5);
});

test("uploads leave the last of the disk to everything else", async () => {
  const usual = await statfs(folder);
  vi.mocked(statfs).mockResolvedValue({ ...usual, bavail: Math.floor(usual.blocks / 1_000) });
  await expect(upload("a", [Buffer.from("hello")])).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining("nearly full") as string,
  });
  vi.mocked(statfs).mockResolvedValue(usual);
  expect(await upload("a", [Buffer.from("hello")])).toBe(5);
});

test("what a process that died left behind is removed by the next upload, hours later", async () => {
  const [old, young] = ["old", "young"].map((name) => join(folder, name)) as [string, string];
  await writeFile(old, "half a fi");
  await writeFile(young, "half a fi");
  const hoursAgo = Date.now() / 1_000 - 3 * 3_600;
  await utimes(old, hoursAgo, hoursAgo);
  expect(await upload("a", [Buffer.from("hello")])).toBe(5);
  expect(await readdir(folder)).toEqual(["young"]);
  await rm(young);
});
