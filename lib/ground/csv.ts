import { stringify } from "csv-stringify/sync";

// What a spreadsheet would run as a formula. Plain numbers and phone numbers are left alone.
const formula = /^[=+\-@\t\r]/;
const numberCharacters = /^[+-]?[\d\s().-]*$/;

/** A number may contain any blanks: one pattern that also looks for a digit would be quadratic. */
function isNumber(text: string): boolean {
  return numberCharacters.test(text) && /\d/.test(text);
}

/** A cell that a spreadsheet shows but does not run. */
export function safeCell(text: string): string {
  return formula.test(text) && !isNumber(text) ? `'${text}` : text;
}

/** What `safeCell` was given: an import takes the quote off again. */
export function originalCell(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}

/** Rows as CSV lines (RFC 4180, CRLF), each cell safe. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map(safeCell)),
    { record_delimiter: "\r\n" },
  );
}
