import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { diskStore } from "@/lib/domain/files/disk-store";
import { uploadFile } from "@/lib/domain/files/files";
import { fileStore } from "@/lib/domain/files/store";
import { reloadEnv } from "@/lib/ground/env/env";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { Files } from "./files";

/* The bytes of a project's files go to where the target keeps them. */

const database = useTestDatabase();
let [here, there] = ["", ""];

beforeAll(async () => {
  const folder = () => mkdtemp(join(tmpdir(), "lettermill-test-"));
  [here, there] = await Promise.all([folder(), folder()]);
  process.env["DATA_DIR"] = here;
  reloadEnv();
});
afterAll(async () => {
  for (const folder of [here, there]) await rm(folder, { recursive: true });
});

async function withFile(text: string) {
  const { ctx, projectId } = await makeProject(database.db);
  const content = Buffer.from(`\x89PNG\r\n\x1a\n${text}`, "latin1");
  const { id } = await uploadFile(ctx, { filename: "logo.png", file: [content] });
  return { projectId, content, key: `${projectId}/${decodeId("file", id) ?? ""}` };
}

test("they are copied once, byte for byte", async () => {
  const { projectId, content, key } = await withFile("x".repeat(300_000));
  const files = new Files(there);
  for (let time = 0; time < 2; time++) {
    await files.copy(database.db.$client, projectId);
    expect([files.copied, files.shared]).toEqual([1, false]);
    const bytes = await diskStore(there).read(key);
    expect(bytes && (await buffer(bytes))).toEqual(content);
  }
});

test("where both keep them in one place they stay, however that place is named", async () => {
  const { projectId } = await withFile("y");
  for (const place of ["shared", here, `${here}/files/..`]) {
    const files = new Files(place);
    await files.copy(database.db.$client, projectId);
    expect([place, files.shared, files.copied]).toEqual([place, true, 0]);
  }
});

test("bytes that are missing or altered are not copied, nor any without a place for them", async () => {
  const { projectId, key } = await withFile("z");
  const client = database.db.$client;
  await expect(new Files(null).check(client, projectId)).rejects.toThrow("--files");
  await writeFile(join(here, "files", key), "something else");
  await expect(new Files(there).copy(client, projectId)).rejects.toThrow("not what was uploaded");
  await fileStore().delete(key);
  await expect(new Files(there).copy(client, projectId)).rejects.toThrow("has no bytes here");
  expect(await diskStore(there).read(key)).toBeNull();
});
