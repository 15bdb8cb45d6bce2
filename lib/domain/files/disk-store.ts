import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import type { FileStore } from "./store";

const keyForm = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/;

/** Files below DATA_DIR/files. */
export function diskStore(dataDir: string): FileStore {
  const root = resolve(dataDir, "files");
  const place = (key: string) => {
    if (!keyForm.test(key)) throw new Error("This is not the key of a file.");
    return join(root, key);
  };
  return {
    stagingFolder: join(root, "incoming"),
    async put(key, { path }) {
      const target = place(key);
      await mkdir(dirname(target), { recursive: true });
      // The row that names it is written later, when the file must already be on the disk.
      const staged = await open(path, "r+");
      try {
        await staged.sync();
      } finally {
        await staged.close();
      }
      await rename(path, target);
    },
    async read(key) {
      try {
        const file = await open(place(key));
        return Readable.toWeb(
          file.createReadStream({ highWaterMark: 256 * 1024 }),
        ) as ReadableStream<Uint8Array>;
      } catch (error) {
        if ((error as { code?: unknown }).code === "ENOENT") return null;
        throw error;
      }
    },
    delete: (key) => rm(place(key), { force: true }),
  };
}
