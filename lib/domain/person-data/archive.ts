import { makeZip } from "client-zip";
import { csvLines } from "@/lib/ground/csv";

/** Rows of one kind, read in batches; each becomes a line of CSV and a JSON object. */
export interface Dataset {
  name: string;
  columns: readonly string[];
  pages: () => AsyncIterable<readonly Readonly<Record<string, unknown>>[]>;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function* csvOf({ columns, pages }: Dataset): AsyncGenerator<string> {
  yield csvLines([columns]);
  for await (const rows of pages()) {
    yield csvLines(rows.map((row) => columns.map((column) => cell(row[column]))));
  }
}

async function* jsonOf({ pages }: Dataset): AsyncGenerator<string> {
  yield "[";
  let before = "\n";
  for await (const rows of pages()) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(",\n");
    before = ",\n";
  }
  yield "\n]\n";
}

async function* filesOf(
  documents: Readonly<Record<string, string>>,
  datasets: readonly Dataset[],
  lastModified: Date,
) {
  for (const [name, input] of Object.entries(documents)) yield { name, lastModified, input };
  for (const dataset of datasets) {
    yield { name: `${dataset.name}.csv`, lastModified, input: csvOf(dataset) };
    yield { name: `${dataset.name}.json`, lastModified, input: jsonOf(dataset) };
  }
}

/** A ZIP of documents and tables, read and written in batches, so that memory stays flat at any size. */
export function zipOf(
  documents: Readonly<Record<string, string>>,
  datasets: readonly Dataset[],
): ReadableStream<Uint8Array> {
  return makeZip(filesOf(documents, datasets, new Date()), { buffersAreUTF8: true });
}
