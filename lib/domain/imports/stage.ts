import { pipeline } from "node:stream/promises";
import { eq, sql } from "drizzle-orm";
import { clientOf, type Transaction } from "@/db/client";
import { contactImportRows } from "@/db/schema";
import { CsvLineTooLong, readRecords, type CsvRecord } from "@/lib/ground/csv-records";
import { AppError, invalid } from "@/lib/ground/errors";
import { cellText, readColumns, type Column } from "./columns";
import { KindSurvey } from "./kinds-schema";
import { readRow, type StagedRow } from "./rows";
import type { UploadedFile } from "./upload";

/** COPY's text format: tab between, backslash escapes, \N for null. */
const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const field = (text: string | null) =>
  text === null ? "\\N" : text.replace(/[\\\n\r\t]/g, (char) => escapes[char] ?? char);
const array = (items: readonly string[]) =>
  `{${items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;

function copyLine(importId: string, place: number, fileLine: number, row: StagedRow): string {
  const cells = [
    importId,
    String(place),
    String(fileLine),
    field(row.email),
    field(row.firstName),
    field(row.lastName),
    row.tags ? field(array(row.tags)) : "\\N",
    field(row.subscribed),
    field(JSON.stringify(row.data)),
    field(row.refusal),
  ];
  return `${cells.join("\t")}\n`;
}

/** The records of a file, in batches. Throws VALIDATION_ERROR for a line without an end. */
export async function* recordsOf(file: UploadedFile): AsyncGenerator<CsvRecord[]> {
  try {
    yield* readRecords(file.text(), file.separator);
  } catch (error) {
    if (!(error instanceof CsvLineTooLong)) throw error;
    throw invalid("file", `is not valid CSV: line ${error.line} does not end`);
  }
}

/** Each becomes a stored row, which takes a hundred bytes even where its line has two. */
const mostRows = 20_000_000;

/**
 * Reads the whole file once to find out what its columns become and what kind of values they hold. Throws
 * VALIDATION_ERROR for anything but a CSV with an address column and rows, PAYLOAD_TOO_LARGE past 20 million rows.
 */
export async function surveyFile(
  file: UploadedFile,
  mapping: string | undefined,
): Promise<Column[]> {
  let survey: KindSurvey<Column> | undefined;
  let width = 0;
  let rows = 0;
  for await (const bunch of recordsOf(file)) {
    for (const { cells, fault, line } of bunch) {
      if (survey) {
        if (++rows > mostRows) {
          throw new AppError(
            "PAYLOAD_TOO_LARGE",
            `The file has more than ${mostRows} rows. Split it.`,
          );
        }
        if (fault === null && cells.length === width) survey.look(cells);
        continue;
      }
      if (fault !== null) throw invalid("file", `is not valid CSV: line ${line} ${fault}`);
      survey = new KindSurvey(readColumns(cells, mapping), cellText);
      width = cells.length;
    }
  }
  if (!survey) throw invalid("file", "is empty");
  if (rows === 0) throw invalid("file", "has no rows below its header");
  return survey.result();
}

export interface StagedCounts {
  rows: number;
  refused: number;
  /** Rows whose address appears again further down. */
  duplicates: number;
}

/** Puts the file's rows into the staging table through COPY: memory stays flat at any size. */
export async function stageRows(
  tx: Transaction,
  importId: string,
  file: UploadedFile,
  columns: readonly Column[],
  { unsubscribed }: { unsubscribed: boolean },
): Promise<StagedCounts> {
  let rows = 0;
  let refused = 0;
  async function* lines() {
    let isHeader = true;
    for await (const bunch of recordsOf(file)) {
      let text = "";
      for (const { cells, fault, line } of bunch) {
        if (isHeader) {
          isHeader = false;
          continue;
        }
        rows++;
        const row = readRow(cells, columns, { unsubscribed });
        if (fault !== null) row.refusal = fault;
        if (row.refusal) refused++;
        text += copyLine(importId, rows + 1, line, row);
      }
      if (text) yield text;
    }
  }
  const copy = await clientOf(tx)`
    copy contact_import_rows (import_id, line, file_line, email, first_name, last_name, tags,
      subscribed, data, refusal) from stdin`.writable();
  await pipeline(lines, copy);
  return { rows, refused, duplicates: await dropSuperseded(tx, importId) };
}

/** Keeps only the last row for each address; returns how many were removed. */
async function dropSuperseded(tx: Transaction, importId: string): Promise<number> {
  const { line, email, refusal } = contactImportRows;
  const ofImport = eq(contactImportRows.importId, importId);
  const deleted = await tx.execute(sql`
    delete from ${contactImportRows} where ${ofImport} and ${line} in (
      select line from (
        select ${line}, lead(${line}) over (partition by lower(${email}) order by ${line}) as later
        from ${contactImportRows} where ${ofImport} and ${refusal} is null
      ) as by_address where later is not null
    )`);
  return deleted.count;
}
