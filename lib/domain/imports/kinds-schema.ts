import { isoInstant } from "@/lib/domain/segments/condition-schema";

/** What a column's cells are stored as. */
export const columnKinds = ["text", "number", "boolean", "date"] as const;
export type ColumnKind = (typeof columnKinds)[number];

// No leading zeros, no plus, and not so many digits that they would be a phone number or an identifier.
const number = /^-?(0|[1-9]\d{0,8})(\.\d{1,9})?$/;
/** Headings of columns whose digits are identifiers, not quantities. */
const identifier =
  /(^|_)(phone|mobile|cell|tel|telephone|fax|zip|zipcode|postcode|postal|plz|code|id|nr|no|number|sku|iban|account|version)(_|$)/;

/** A cell as a value of the kind; undefined when it is not one. */
export function valueOf(kind: ColumnKind, text: string): string | number | boolean | undefined {
  switch (kind) {
    case "text":
      return text;
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    case "boolean":
      return { true: true, false: false }[text.toLowerCase()];
    case "date": {
      const instant = text.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, "$1T");
      return isoInstant(instant) === null ? undefined : instant;
    }
  }
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
}

/**
 * Detects the kind of columns for which none was specified: one that every cell has, empty cells aside. The whole
 * column counts: one cell that is not a number makes them all text.
 */
export class KindSurvey<Column extends KindOfColumn> {
  private readonly candidates: Map<number, { kinds: ColumnKind[]; seen: boolean }>;

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
  }

  look(cells: readonly string[]): void {
    for (const [index, candidate] of this.candidates) {
      const text = this.textOf(cells[index]);
      if (text === "" || candidate.kinds.length === 0) continue;
      candidate.seen = true;
      candidate.kinds = candidate.kinds.filter((kind) =>
        kind === "number" ? number.test(text) : valueOf(kind, text) !== undefined,
      );
    }
  }

  /** The columns, each with its kind. */
  result(): Column[] {
    return this.columns.map((column, index) => {
      const candidate = this.candidates.get(index);
      const recognized = candidate?.seen ? candidate.kinds[0] : undefined;
      return { ...column, kind: column.kind ?? recognized ?? "text" };
    });
  }
}
