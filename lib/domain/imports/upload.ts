import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileStore } from "@/lib/domain/files/store";
import { withUploadRoom } from "@/lib/domain/files/upload-room";
import { AppError, invalid } from "@/lib/ground/errors";
import { separatorOf } from "./schema";

/** Larger files have to be split by their owner; this is some ten million contacts. */
export const largestImportBytes = 2 * 1024 ** 3;
/** A client that sends more slowly than this is cut off. */
export const longestUploadMinutes = 60;
const longestFirstLine = 1_000_000;

/** A file that has arrived whole, to be read as often as needed. */
export interface UploadedFile {
  /** Comma, semicolon or tab. */
  separator: string;
  text(): AsyncIterable<string>;
}

/**
 * Collects a file on the disk, however slowly it arrives, for `work`; nothing else is held in the meantime. The
 * file never has a name, so that nothing is left of it whatever happens to this process. Throws VALIDATION_ERROR
 * for a file that is not UTF-8 text or takes longer than an hour, PAYLOAD_TOO_LARGE, and UNAVAILABLE when the project
 * (uuid) or all of them upload too much at once.
 */
export async function withUploadedFile<Result>(
  projectId: string,
  source: AsyncIterable<Uint8Array>,
  work: (file: UploadedFile) => Promise<Result>,
): Promise<Result> {
  const folder = fileStore().stagingFolder;
  return withUploadRoom({ projectId, folder }, source, (file) => collect(folder, file, work));
}

async function collect<Result>(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  work: (file: UploadedFile) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, randomUUID());
  const handle = await open(path, "wx+", 0o600);
  try {
    await rm(path);
    await gather(source, (chunk) => handle.appendFile(chunk));
    const text = (options: { end?: number } = {}): AsyncIterable<string> =>
      handle.createReadStream({ start: 0, encoding: "utf8", autoClose: false, ...options });
    let head = "";
    for await (const part of text({ end: longestFirstLine })) head += part;
    const separator = separatorOf(head.split(/[\r\n]/, 1)[0] ?? "");
    return await work({ separator, text: () => text() });
  } finally {
    await handle.close();
  }
}

async function gather(
  source: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const started = performance.now();
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > largestImportBytes) {
      throw new AppError("PAYLOAD_TOO_LARGE", "The file is larger than 2 GB.");
    }
    if (performance.now() - started > longestUploadMinutes * 60_000) {
      throw invalid("file", `took longer than ${longestUploadMinutes} minutes to arrive; split it`);
    }
    checkText(decoder, chunk);
    await write(chunk);
  }
  checkText(decoder, undefined);
}

/** Throws VALIDATION_ERROR for text that would come out garbled. */
function checkText(decoder: TextDecoder, chunk: Uint8Array | undefined): void {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw invalid("file", "is not UTF-8 text; save the spreadsheet as “CSV UTF-8”");
  }
}
