import { isoInstant } from "@/lib/domain/segments/condition-schema";

/** What a column's cells are stored as. */
export const columnKinds = ["text", "number", "boolean", "date"] as const;
export type ColumnKind = (typeof columnKinds)[number];

// No leading zeros, no plus, and not so many digits that they would be a phone number or an identifier.
const number = /^-?(0|[1-9]\d{0,8})(\.\d{1,9})?$/;
/** Headings of columns whose digits are identifiers, not quantities. */
const identifier =
  /(^|_)(phone|mobile|cell|tel|telephone|fax|zip|zipcode|postcode|postal|plz|code|id|nr|no|number|sku|iban|account|version)(_|$)/;

/** Words for yes, in the languages that recipients read. */
export const yesWords: ReadonlySet<string> = new Set(
  "true 1 yes y ja j oui si sí tak wahr vrai verdadero prawda".split(" "),
);
export const noWords: ReadonlySet<string> = new Set(
  "false 0 no n nein non nie falsch faux falso fałsz".split(" "),
);

const plainNumber = /^-?\d+(\.\d+)?$/;
/** `2.664,39` and `562,26`, as spreadsheets write them where the decimal mark is a comma. */
const commaNumber = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/;
/** `1,234` alone may be a thousand and more. */
const hasDecimalComma = (text: string): boolean => {
  const decimals = commaNumber.exec(text)?.[3]?.length;
  return decimals !== undefined && (decimals !== ",234".length || text.includes("."));
};
const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?: (\d\d:\d\d(?::\d\d)?))?$/;

/** `2026-03-31 10:30` and `31.3.2026` in the form of ISO 8601; other text as it is. */
function isoForm(text: string): string {
  const [, day = "", month = "", year, time] = dottedDate.exec(text) ?? [];
  return year
    ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${time ? `T${time}` : ""}`
    : text.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, "$1T");
}

function numberIn(text: string, decimalComma: boolean): number | undefined {
  if (!decimalComma) return plainNumber.test(text) ? Number(text) : undefined;
  return commaNumber.test(text) ? Number(text.replaceAll(".", "").replace(",", ".")) : undefined;
}

/**
 * A cell as a value of the kind; undefined when it is not one. `decimalComma`: how the column writes numbers, as
 * `KindSurvey` finds out.
 */
export function valueOf(
  kind: ColumnKind,
  text: string,
  decimalComma = false,
): string | number | boolean | undefined {
  switch (kind) {
    case "text":
      return text;
    case "number":
      return numberIn(text, decimalComma);
    case "boolean": {
      const word = text.toLowerCase();
      return yesWords.has(word) || (noWords.has(word) ? false : undefined);
    }
    case "date": {
      const instant = isoForm(text);
      return isoInstant(instant) === null ? undefined : instant;
    }
  }
}

/** Whether a cell is of the kind beyond doubt: nobody has to be asked. */
function isSurely(kind: ColumnKind, text: string): boolean {
  if (kind === "number") return number.test(text);
  if (kind === "boolean") return /^(true|false)$/i.test(text);
  return !dottedDate.test(text) && valueOf(kind, text) !== undefined;
}

/** `PostalCode`, `postal code` and `postal_code` alike. */
const words = (key: string) =>
  key
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1_")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .toLowerCase();

/** A column as far as its kind is concerned; null when nobody has specified one. */
interface KindOfColumn {
  target: string;
  kind: ColumnKind | null;
  /** Numbers as `2.664,39`. */
  decimalComma?: boolean;
}

/**
 * Detects the kind of columns for which none was specified: one that every cell has, empty cells aside. The whole
 * column counts: one cell that is not a number makes them all text. Of columns that were specified as numbers, it
 * finds out whether they have a decimal comma.
 */
export class KindSurvey<Column extends KindOfColumn> {
  private readonly candidates: Map<number, { kinds: ColumnKind[]; seen: boolean }>;
  private readonly marks: Map<number, { comma: boolean; point: boolean }>;

  constructor(
    private readonly columns: readonly Column[],
    /** A cell without surrounding blanks and anything else that does not belong to its value. */
    private readonly textOf: (cell: string | undefined) => string,
  ) {
    const open = columns.flatMap(({ target, kind }, index) => {
      if (kind !== null || !target.startsWith("data.")) return [];
      const kinds: ColumnKind[] = ["number", "boolean", "date"];
      const quantity = !identifier.test(words(target.slice(5)));
      return [[index, { kinds: quantity ? kinds : kinds.slice(1), seen: false }] as const];
    });
    this.candidates = new Map(open);
    this.marks = new Map(
      columns.flatMap(({ kind }, index) =>
        kind === "number" ? [[index, { comma: false, point: false }] as const] : [],
      ),
    );
  }

  look(cells: readonly string[]): void {
    for (const [index, candidate] of this.candidates) {
      const text = this.textOf(cells[index]);
      if (text === "" || candidate.kinds.length === 0) continue;
      candidate.seen = true;
      candidate.kinds = candidate.kinds.filter((kind) => isSurely(kind, text));
    }
    for (const [index, mark] of this.marks) {
      const text = this.textOf(cells[index]);
      mark.comma ||= hasDecimalComma(text);
      mark.point ||= plainNumber.test(text) && !commaNumber.test(text);
    }
  }

  /** The columns, each with its kind. */
  result(): Column[] {
    return this.columns.map((column, index) => {
      const candidate = this.candidates.get(index);
      const recognized = candidate?.seen ? candidate.kinds[0] : undefined;
      const mark = this.marks.get(index);
      return {
        ...column,
        kind: column.kind ?? recognized ?? "text",
        ...(mark?.comma && !mark.point && { decimalComma: true }),
      };
    });
  }
}
