import { env } from "@/lib/ground/env/env";
import { diskStore } from "./disk-store";
import { s3Store } from "./s3-store";

/** A file's bytes on their way in: a file on this machine's disk, read whole and measured. */
export interface StagedBytes {
  path: string;
  size: number;
  sha256: Buffer;
}

/** Where files' bytes lie. Keys are ours (uuids): no name that a caller chose reaches a store. */
export interface FileStore {
  /** Where uploads are gathered; made when needed. */
  stagingFolder: string;
  /** Takes the staged file over, or copies it. */
  put(key: string, bytes: StagedBytes, contentType: string): Promise<void>;
  /** null: there are no such bytes. */
  read(key: string): Promise<ReadableStream<Uint8Array> | null>;
  /** Says nothing when they are gone already. */
  delete(key: string): Promise<void>;
}

/** The installation's store, as FILES says. */
export function fileStore(): FileStore {
  const { FILES, DATA_DIR } = env();
  return FILES === "disk" ? diskStore(DATA_DIR) : s3Store(FILES);
}
