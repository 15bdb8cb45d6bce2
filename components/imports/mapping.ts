import { columnTarget } from "@/lib/domain/imports/schema";

/** What a column becomes: a field of a contact, an attribute with its key, or nothing. */
export interface ColumnChoice {
  target: string;
  /** Key of the attribute; kept while another target is tried. */
  key: string;
}

const attribute = "data.";

// A comma would end the key in the query that names the columns.
const cleanKey = (key: string) => key.replaceAll(",", " ").trim().slice(0, 100);

/** What each column becomes by its name. The second column for one field becomes an attribute. */
export function guessColumns(header: readonly string[]): ColumnChoice[] {
  const taken = new Set<string>();
  return header.map((name) => {
    const guess = columnTarget(name);
    const key = cleanKey(guess.startsWith(attribute) ? guess.slice(attribute.length) : name);
    const target = guess.startsWith(attribute) || taken.has(guess) ? "data" : guess;
    if (target !== "skip") taken.add(target);
    return { target, key };
  });
}

/** The choices as the query `columns` of an import. */
export function columnsQuery(choices: readonly ColumnChoice[]): string {
  return choices
    .map(({ target, key }) => (target === "data" ? `${attribute}${cleanKey(key)}` : target))
    .join(",");
}

/** A sentence per column that is wrong, by its index, and one for the whole under -1. */
export function mappingFaults(choices: readonly ColumnChoice[]): Map<number, string> {
  const faults = new Map<number, string>();
  const seen = new Set<string>();
  choices.forEach(({ target, key }, index) => {
    if (target === "skip") return;
    const name = target === "data" ? attribute + cleanKey(key) : target;
    if (name === attribute) faults.set(index, "This attribute needs a key.");
    else if (seen.has(name)) faults.set(index, "Another column becomes this already.");
    seen.add(name);
  });
  if (!seen.has("email")) faults.set(-1, "Choose the column that holds the email address.");
  else if (seen.has("subscribed") && seen.has("unsubscribed")) {
    faults.set(-1, "Choose either subscribed or unsubscribed: they contradict each other.");
  }
  return faults;
}
