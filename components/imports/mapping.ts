import { KindSurvey, type ColumnKind } from "@/lib/domain/imports/kinds-schema";
import { columnTarget, columnTargets, isOwnExport, mayRepeat } from "@/lib/domain/imports/schema";
import { t } from "@/lib/ground/texts/t";

/** What a column becomes: a field of a contact, an attribute with its key, or nothing. */
export interface ColumnChoice {
  target: string;
  /** Key of the attribute; kept while another target is tried. */
  key: string;
  /** What an attribute is stored as; null: what the whole file suggests. */
  kind: ColumnKind | null;
}

const attribute = "data.";

// A comma would end the key in the query that names the columns.
const cleanKey = (key: string) => key.replaceAll(",", " ").trim().slice(0, 100);

/**
 * What spreadsheets in the languages of the dashboard call the fields. Only proposed where a person looks at it: for
 * programs, a column is called what it was called yesterday.
 */
const headings = new Map([
  ["emailadresse", "email"],
  ["mailadresse", "email"],
  ["vorname", "firstName"],
  ["nachname", "lastName"],
  ["familienname", "lastName"],
]);

const fieldOf = (name: string) => headings.get(name.toLowerCase().replace(/[\s_-]/g, ""));

/** What each column becomes, by its name. A second column for one field becomes an attribute. */
export function guessColumns(header: readonly string[]): ColumnChoice[] {
  const taken = new Set<string>();
  const own = isOwnExport(header);
  return columnTargets(header).map((byName, index) => {
    const name = header[index] ?? "";
    const guess = (own ? undefined : fieldOf(name)) ?? byName;
    const key = cleanKey(guess.startsWith(attribute) ? guess.slice(attribute.length) : name);
    const target = guess.startsWith(attribute) || taken.has(guess) ? "data" : guess;
    if (!mayRepeat(target)) taken.add(target);
    return { target, key, kind: null };
  });
}

/** The choices as the query `columns` of an import. */
export function columnsQuery(choices: readonly ColumnChoice[]): string {
  return choices
    .map(({ target, key, kind }) =>
      target === "data" ? `${attribute}${cleanKey(key)}${kind ? `:${kind}` : ""}` : target,
    )
    .join(",");
}

/** What the sample rows say each column holds, by the rules the whole file is judged by. */
export function guessKinds(
  choices: readonly ColumnChoice[],
  rows: readonly (readonly string[])[],
): ColumnKind[] {
  const columns = choices.map(({ target, key }) => ({
    target: target === "data" ? attribute + cleanKey(key) : target,
    kind: null,
  }));
  const survey = new KindSurvey<{ target: string; kind: ColumnKind | null }>(columns, (cell) =>
    (cell ?? "").trim(),
  );
  for (const cells of rows) survey.look(cells);
  return survey.result().map(({ kind }) => kind ?? "text");
}

/** Whether a placeholder can name the key: `{{ Favourite_colour }}`. */
export const isReadable = (key: string) => columnTarget(key.trim()) === attribute + key.trim();

/** A sentence for each wrong column, by its index, and one for the mapping as a whole under -1. */
export function mappingFaults(choices: readonly ColumnChoice[]): Map<number, string> {
  const faults = new Map<number, string>();
  const seen = new Set<string>();
  choices.forEach(({ target, key }, index) => {
    if (target === "skip") return;
    const name = target === "data" ? attribute + cleanKey(key) : target;
    if (name === attribute) faults.set(index, t("This attribute needs a key."));
    else if (seen.has(name) && !mayRepeat(target))
      faults.set(index, t("Another column is already mapped to this field."));
    seen.add(name);
  });
  if (!seen.has("email")) faults.set(-1, t("Choose the column that holds the email address."));
  else if (seen.has("subscribed") && seen.has("unsubscribed")) {
    faults.set(-1, t("Choose either subscribed or unsubscribed: they contradict each other."));
  }
  return faults;
}
