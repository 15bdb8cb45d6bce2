/** A record of a CSV: its cells, or what is wrong with it. */
export interface CsvRecord {
  /** Line of the file on which it begins, the first being 1. */
  line: number;
  cells: string[];
  /** Why it cannot be read; null: it can. */
  fault: string | null;
}

/** Longest record, and so the longest line, in characters. */
const longestRecord = 1_000_000;

export class CsvLineTooLong extends Error {
  constructor(readonly line: number) {
    super(`Line ${line} is longer than ${longestRecord} characters.`);
  }
}

/** Reads one record line by line (RFC 4180); a quoted cell may span several. */
class RecordParser {
  private cells: string[] = [];
  private open: string | null = null;

  constructor(private readonly separator: string) {}

  /** `more`: a quote is still open. A returned text says what is wrong. */
  feed(line: string): { cells: string[] } | { fault: string } | "more" {
    let at = 0;
    if (this.open === null) this.cells = [];
    for (;;) {
      if (this.open === null && line[at] !== '"') {
        const end = line.indexOf(this.separator, at);
        const cell = line.slice(at, end < 0 ? undefined : end);
        if (cell.includes('"')) return { fault: "has a quote inside a cell without quotes" };
        this.cells.push(cell);
        if (end < 0) return { cells: this.cells };
        at = end + 1;
        continue;
      }
      const continued = this.open !== null;
      const quote = closingQuote(line, continued ? 0 : at + 1);
      const text = line.slice(continued ? 0 : at + 1, quote < 0 ? undefined : quote);
      const cell = (this.open ?? "") + text.replaceAll('""', '"');
      if (quote < 0) {
        this.open = `${cell}\n`;
        return "more";
      }
      this.open = null;
      this.cells.push(cell);
      if (quote + 1 === line.length) return { cells: this.cells };
      if (line[quote + 1] !== this.separator) {
        return { fault: "has text behind a closing quote" };
      }
      at = quote + 2;
    }
  }
}

/** The first quote from `at` that is not doubled; -1: there is none. */
function closingQuote(line: string, at: number): number {
  for (let quote = line.indexOf('"', at); quote >= 0; quote = line.indexOf('"', quote + 2)) {
    if (line[quote + 1] !== '"') return quote;
  }
  return -1;
}

/** Lines of a text without their ends, in bunches; a lone CR ends lines only in a file that has no LF. */
async function* readLines(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = "";
  let end: "\n" | "\r" | null = null;
  let line = 1;
  let first = true;
  for await (const chunk of text) {
    rest += first ? chunk.replace(/^\ufeff/, "") : chunk;
    first = false;
    if (end === null) {
      const lineFeed = rest.indexOf("\n");
      const carriageReturn = rest.indexOf("\r");
      // A CR at the very end may be the first half of CRLF.
      const alone = carriageReturn >= 0 && carriageReturn < rest.length - 1 && lineFeed < 0;
      end = lineFeed >= 0 ? "\n" : alone ? "\r" : null;
    }
    const lines: string[] = end === null ? [rest] : rest.split(end);
    rest = lines.pop() ?? "";
    line += lines.length;
    if (rest.length > longestRecord) throw new CsvLineTooLong(line);
    yield end === "\n" ? lines.map(withoutReturn) : lines;
  }
  if (rest !== "") yield [withoutReturn(rest)];
}

const withoutReturn = (line: string) => (line.endsWith("\r") ? line.slice(0, -1) : line);

/**
 * The records of a CSV in bunches, blank lines left out. What cannot be read becomes one record with its fault,
 * and reading continues with the line after it: a quote that is never closed costs only its own line. Throws
 * CsvLineTooLong. Memory stays flat.
 */
export async function* readRecords(
  text: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<CsvRecord[]> {
  let parser = new RecordParser(separator);
  /** Lines of the record whose quote is open. */
  let held: string[] = [];
  let heldLength = 0;
  let line = 0;

  /** `last`: nothing follows, an open quote stays open. */
  function* read(lines: readonly string[], last: boolean): Generator<CsvRecord> {
    // What was held back is read again when its first line turns out to be broken.
    const waiting = [...lines].reverse();
    for (;;) {
      const next = waiting.pop();
      if (next === undefined) {
        if (!last || held.length === 0) return;
        yield* giveUp("has a quote that is not closed");
        continue;
      }
      line++;
      if (held.length === 0 && next.trim() === "") continue;
      if (held.length === 0 && !next.includes('"')) {
        yield { line, cells: next.split(separator), fault: null };
        continue;
      }
      const result = parser.feed(next);
      held.push(next);
      heldLength += next.length + 1;
      if (result === "more") {
        if (heldLength > longestRecord) yield* giveUp("has a quote that is not closed");
      } else if ("fault" in result) {
        yield* giveUp(result.fault);
      } else {
        yield { line: line - held.length + 1, cells: result.cells, fault: null };
        restart();
      }
    }

    function* giveUp(fault: string): Generator<CsvRecord> {
      const begun = line - held.length + 1;
      yield { line: begun, cells: held[0]?.split(separator) ?? [], fault };
      for (const again of held.slice(1).reverse()) waiting.push(again);
      line = begun;
      restart();
    }
  }

  function restart() {
    parser = new RecordParser(separator);
    held = [];
    heldLength = 0;
  }

  for await (const lines of readLines(text)) yield [...read(lines, false)];
  yield [...read([], true)];
}
