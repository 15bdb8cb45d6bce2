import type { Schema } from "./document";

/** A part of a request that a caller may make as long as its bound lets through. */
export interface Part {
  /** `filter.and[].field`; of a name that the caller chooses `data.*`, and the name itself `data.<name>`. */
  place: string;
  kind: "text" | "list" | "names";
  /** Characters, items or names; null without a bound, Infinity where a pattern or format is one. */
  most: number | null;
}

interface Bounded extends Schema {
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  pattern?: string;
  format?: string;
  const?: unknown;
  not?: Schema;
  propertyNames?: Schema;
  allOf?: Bounded[];
}

/** Whether only so many characters match: no repetition without an end. */
function isFinite(pattern: string): boolean {
  const outside = pattern.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  return pattern.startsWith("^") && pattern.endsWith("$") && !/[*+]|\{\d+,\}/.test(outside);
}

function textBound({ maxLength, pattern, format, allOf = [] }: Bounded): number | null {
  if (format === "date") return Infinity;
  if (maxLength !== undefined) return maxLength;
  return [pattern, ...allOf.map((one) => one.pattern)].some((one) => one && isFinite(one))
    ? Infinity
    : null;
}

const choosesNames = ({ properties, additionalProperties }: Bounded) =>
  additionalProperties !== false && (!properties || additionalProperties !== undefined);

/** Every text, list and object with free names that a JSON schema reads, unless its values are listed. */
export function* partsOf(
  schema: Schema,
  resolve: (schema: Schema) => Schema,
  place = "",
  above: readonly Schema[] = [],
): Generator<Part> {
  const resolved = resolve(schema) as Bounded;
  if (above.includes(resolved)) return;
  const { type, properties = {}, items, additionalProperties, propertyNames } = resolved;
  if (resolved.enum || resolved.const !== undefined || resolved.not) return;
  const within = (part: Schema, name: string) =>
    partsOf(part, resolve, place + name, [...above, resolved]);
  const types = [type].flat();
  if (types.includes("string")) yield { place, kind: "text", most: textBound(resolved) };
  if (types.includes("array")) yield { place, kind: "list", most: resolved.maxItems ?? null };
  if (types.includes("object") && choosesNames(resolved)) {
    yield { place, kind: "names", most: resolved.maxProperties ?? null };
  }
  for (const [name, member] of Object.entries(properties)) yield* within(member, `.${name}`);
  if (items) yield* within(items, "[]");
  if (typeof additionalProperties === "object") yield* within(additionalProperties, ".*");
  if (propertyNames) yield* within(propertyNames, ".<name>");
  for (const one of [resolved.anyOf, resolved.oneOf].flat()) if (one) yield* within(one, "");
}
