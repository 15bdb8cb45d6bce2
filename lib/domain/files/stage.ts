import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError, invalid } from "@/lib/ground/errors";
import { headBytes } from "./content-type";
import { largestFileBytes } from "./schema";
import type { StagedBytes } from "./store";

export interface Staged extends StagedBytes {
  /** The first 4 kB. */
  head: Buffer;
}

/**
 * Collects a file on the disk as it arrives, for `work`, and removes it afterwards. Memory stays flat. Throws
 * PAYLOAD_TOO_LARGE beyond 25 MB, VALIDATION_ERROR for an empty file.
 */
export async function withStaged<Result>(
  folder: string,
  file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  work: (staged: Staged) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  try {
    return await work({ path, ...(await gather(path, file)) });
  } finally {
    await rm(path, { force: true });
  }
}

async function gather(path: string, file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const hash = createHash("sha256");
  let head = Buffer.alloc(0);
  let size = 0;
  const target = await open(path, "wx", 0o600);
  try {
    for await (const chunk of file) {
      size += chunk.byteLength;
      if (size > largestFileBytes) {
        throw new AppError("PAYLOAD_TOO_LARGE", "The file is larger than 25 MB (26214400 bytes).");
      }
      hash.update(chunk);
      if (head.length < headBytes) head = Buffer.concat([head, chunk]).subarray(0, headBytes);
      await target.writeFile(chunk);
    }
  } finally {
    await target.close();
  }
  if (size === 0) throw invalid("file", "is empty");
  return { size, sha256: hash.digest(), head };
}
