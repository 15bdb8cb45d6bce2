import { separatorOf } from "@/lib/domain/imports/schema";

/** The first lines of a file, read in the browser: enough to say what its columns hold. */
export interface CsvPreview {
  header: string[];
  rows: string[][];
}

/** How much of a file is read for the preview. */
export const previewBytes = 256 * 1024;

/**
 * The header and the first `most` rows of a CSV (RFC 4180; commas, semicolons or tabs). `complete`: `text`
 * is the whole file; otherwise its last row may be cut off and is left out. An unclosed quote ends the
 * reading.
 */
export function previewCsv(text: string, complete: boolean, most = 50): CsvPreview {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    record.push(cell);
    cell = "";
  };
  const endRecord = () => {
    endCell();
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  };
  const source = text.replace(/^\ufeff/, "");
  const separator = separatorOf(source.split(/[\r\n]/, 1)[0] ?? "");
  for (let at = 0; at < source.length && records.length <= most; at++) {
    const char = source[at] ?? "";
    if (quoted) {
      if (char !== '"') cell += char;
      else if (source[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (char === '"' && cell === "") quoted = true;
    else if (char === separator) endCell();
    else if (char === "\n" || char === "\r") {
      if (char === "\r" && source[at + 1] === "\n") at++;
      endRecord();
    } else cell += char;
  }
  if (complete && !quoted && (cell !== "" || record.length > 0)) endRecord();
  const [header = [], ...rows] = records;
  return { header: header.map((name) => name.trim()), rows: rows.slice(0, most) };
}
