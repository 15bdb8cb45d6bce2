import { Readable, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parse as parseCsv } from "csv-parse";
import { clientOf, type Transaction } from "@/db/client";
import { AppError, invalid } from "@/lib/ground/errors";
import { readColumns, type Target } from "./columns";
import { readRow, type StagedRow } from "./rows";
import { separatorOf } from "./schema";

/** Larger files are split by their owner; this is some ten million contacts. */
export const largestImportBytes = 2 * 1024 ** 3;

/** COPY's text format: tab between, backslash escapes, \N for null. */
const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const field = (text: string | null) =>
  text === null ? "\\N" : text.replace(/[\\\n\r\t]/g, (char) => escapes[char] ?? char);
const array = (items: readonly string[]) =>
  `{${items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;

function copyLine(importId: string, line: number, row: StagedRow): string {
  return [
    importId,
    String(line),
    field(row.email),
    field(row.firstName),
    field(row.lastName),
    row.tags ? field(array(row.tags)) : "\\N",
    field(row.subscribed),
    field(JSON.stringify(row.data)),
    field(row.refusal),
  ].join("\t");
}

/** Counts bytes as they pass; refuses what is too large, and what would come out garbled. */
function checked(): Transform {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  const decode = (chunk: Buffer | undefined, done: TransformCallback) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
      done(null, chunk);
    } catch {
      done(invalid("file", "is not UTF-8 text; save the sheet as “CSV UTF-8”"));
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > largestImportBytes) {
        done(new AppError("PAYLOAD_TOO_LARGE", "The file is larger than 2 GB."));
      } else decode(chunk, done);
    },
    flush: (done) => decode(undefined, done),
  });
}

const longestFirstLine = 1_000_000;

/** The file's first line, and the file from its beginning. */
async function peekLine(
  file: AsyncIterable<Uint8Array>,
): Promise<{ line: string; whole: AsyncIterable<Uint8Array> }> {
  const chunks = file[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  for (let size = 0; size < longestFirstLine;) {
    const next = await chunks.next();
    if (next.done) break;
    seen.push(next.value);
    size += next.value.length;
    if (next.value.includes(0x0a) || next.value.includes(0x0d)) break;
  }
  const line =
    Buffer.concat(seen)
      .toString()
      .split(/[\r\n]/, 1)[0] ?? "";
  async function* whole() {
    yield* seen;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { line, whole: whole() };
}

/** Records of the parser to lines for COPY, some thousand to a chunk. */
function toCopy(importId: string, mapping: string | undefined, counts: StagedCounts): Transform {
  let targets: Target[] | undefined;
  let lines: string[] = [];
  return new Transform({
    writableObjectMode: true,
    transform(cells: string[], _encoding, done) {
      try {
        if (!targets) {
          targets = readColumns(cells, mapping);
          return done();
        }
        counts.rows++;
        const row = readRow(cells, targets);
        if (row.refusal) counts.refused++;
        lines.push(copyLine(importId, counts.rows + 1, row));
        if (lines.length < 2000) return done();
        const chunk = `${lines.join("\n")}\n`;
        lines = [];
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      if (!targets) return done(invalid("file", "is empty"));
      done(null, lines.length > 0 ? `${lines.join("\n")}\n` : undefined);
    },
  });
}

export interface StagedCounts {
  rows: number;
  refused: number;
}

/**
 * Streams a CSV (commas, semicolons or tabs) into the staging table through COPY: memory stays flat at any
 * size. Throws
 * VALIDATION_ERROR for what is no CSV with an address column or not UTF-8, PAYLOAD_TOO_LARGE.
 */
export async function stageRows(
  tx: Transaction,
  importId: string,
  file: AsyncIterable<Uint8Array>,
  mapping: string | undefined,
): Promise<StagedCounts> {
  const counts: StagedCounts = { rows: 0, refused: 0 };
  const { line, whole } = await peekLine(file);
  const copy = await clientOf(tx)`
    copy contact_import_rows (import_id, line, email, first_name, last_name, tags, subscribed, data,
      refusal) from stdin`.writable();
  try {
    await pipeline(
      Readable.from(whole, { objectMode: false }),
      checked(),
      parseCsv({
        bom: true,
        delimiter: separatorOf(line),
        relax_column_count: true,
        skip_empty_lines: true,
        max_record_size: 1_000_000,
      }),
      toCopy(importId, mapping, counts),
      copy,
    );
  } catch (error) {
    const { code, lines } = error as { code?: string; lines?: number };
    if (code?.startsWith("CSV_")) {
      throw invalid("file", `is not valid CSV${lines ? `, line ${lines}` : ""}`);
    }
    throw error;
  }
  if (counts.rows === 0) throw invalid("file", "has no rows below its header");
  return counts;
}
