import { env } from "@/lib/ground/env/env";
import { diskStore } from "./disk-store";
import { s3Store } from "./s3-store";

/** A file's bytes on their way in: a file on this machine's disk, read whole and measured. */
export interface StagedBytes {
  path: string;
  size: number;
  sha256: Buffer;
}

/** Where the bytes of files are stored. Keys are our own uuids: a name chosen by a caller never reaches a store. */
export interface FileStore {
  /** Where uploads are collected; created when needed. */
  stagingFolder: string;
  /** Moves or copies the staged file into the store. */
  put(key: string, bytes: StagedBytes, contentType: string): Promise<void>;
  /** null when there are no such bytes. */
  read(key: string): Promise<ReadableStream<Uint8Array> | null>;
  /** Does nothing when they are already gone. */
  delete(key: string): Promise<void>;
}

/** The installation's store, as FILES says. */
export function fileStore(): FileStore {
  const { FILES, DATA_DIR } = env();
  return FILES === "disk" ? diskStore(DATA_DIR) : s3Store(FILES);
}
