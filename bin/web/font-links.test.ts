import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fontLinks } from "./font-links";

test("the fonts of all text are linked, by the names that the build gave them", async () => {
  const root = await mkdtemp(join(tmpdir(), "lettermill-fonts-"));
  expect(fontLinks(root)).toBeNull();
  const media = join(root, ".next", "static", "media");
  await mkdir(media, { recursive: true });
  expect(fontLinks(root)).toBeNull();
  for (const name of [
    "instrument-sans-latin-wght-normal.3h2wr6o8p949u.woff2",
    "instrument-sans-latin-ext-wght-normal.2jfp7v6ns64yg.woff2",
    "fraunces-latin-500-normal.2_qu-r.woff2",
    "fraunces-latin-500-normal.2_qu-r.woff",
  ]) {
    await writeFile(join(media, name), "");
  }
  expect(fontLinks(root)?.split(", ")).toEqual([
    "</_next/static/media/fraunces-latin-500-normal.2_qu-r.woff2>; rel=preload; as=font; crossorigin",
    "</_next/static/media/instrument-sans-latin-wght-normal.3h2wr6o8p949u.woff2>; rel=preload; as=font; crossorigin",
  ]);
  await rm(root, { recursive: true });
});
