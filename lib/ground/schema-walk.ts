import type { z } from "zod";
import { mostNames } from "./open-object-schema";

type Schema = z.core.$ZodType;

/** What the walk reads of zod's definitions. */
interface Definition {
  type: string;
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  getter?: () => Schema;
  options?: readonly Schema[];
  shape?: Record<string, Schema>;
  element?: Schema;
  catchall?: Schema;
  checks?: readonly z.core.$ZodCheck[];
}

export const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;

const branches = new WeakMap<Schema, readonly Schema[]>();

/** The schemas that may read a value: what a union chooses from, without wrappers like optional(). */
export function branchesOf(schema: Schema): readonly Schema[] {
  let reached = branches.get(schema);
  if (!reached) {
    const def = definitionOf(schema);
    const inner = def.in && definitionOf(def.in).type !== "transform" ? def.in : def.out;
    const next = def.innerType ?? inner ?? def.getter?.();
    if (def.options) reached = def.options.flatMap(branchesOf);
    else reached = next ? branchesOf(next) : [schema];
    branches.set(schema, reached);
  }
  return reached;
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function meansAbsent(field: Schema): boolean {
  const takes = (value: unknown) => {
    const result = field._zod.run({ value, issues: [] }, { async: false }) as z.core.ParsePayload;
    return result.issues.length === 0;
  };
  return takes(undefined) && !takes(null);
}

/** `value` without the members that are null where the schema has an optional field that takes no null. */
export function withoutNulls(schema: Schema, value: unknown): unknown {
  let result = value;
  for (const branch of branchesOf(schema)) {
    const { shape, element } = definitionOf(branch);
    if (element && Array.isArray(result)) {
      result = result.map((item: unknown) => withoutNulls(element, item));
    }
    if (!shape || !isObject(result)) continue;
    const members = Object.entries(result).flatMap(([key, member]): [string, unknown][] => {
      const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (!field) return [[key, member]];
      if (member === null) return meansAbsent(field) ? [] : [[key, member]];
      return [[key, withoutNulls(field, member)]];
    });
    result = Object.fromEntries(members);
  }
  return result;
}

/** The most items of an array, and what to say about more; null without a bound. */
export function boundOf(array: Schema): { most: number; message: string } | null {
  for (const check of definitionOf(array).checks ?? []) {
    const def = check._zod.def as z.core.$ZodCheckMaxLengthDef;
    if (def.check !== "max_length") continue;
    const wording = def.error as ((issue: object) => string | { message: string }) | undefined;
    const text = wording?.({ code: "too_big", origin: "array", maximum: def.maximum });
    const message = typeof text === "object" ? text.message : text;
    return { most: def.maximum, message: message ?? `has more than ${def.maximum} items` };
  }
  return null;
}

interface LongArray {
  path: PropertyKey[];
  message: string;
}

const arrayMembers = new WeakMap<Schema, readonly (readonly [name: string, Schema])[]>();

function holdsArray(schema: Schema, above: ReadonlySet<Schema>): boolean {
  return branchesOf(schema).some((branch) => {
    const { shape, element } = definitionOf(branch);
    if (element || isOpen(branch)) return true;
    if (!shape || above.has(branch)) return false;
    return Object.values(shape).some((member) => holdsArray(member, new Set([...above, branch])));
  });
}

/** Whether an object's caller chooses names in it: a record, or an object that reads what it does not declare. */
function isOpen(schema: Schema): boolean {
  const { type, catchall } = definitionOf(schema);
  return type === "record" || (catchall !== undefined && definitionOf(catchall).type !== "never");
}

/** The members of an object that can contain arrays or records: most bodies have few, and every request is looked at. */
function arrayMembersOf(object: Schema, shape: Record<string, Schema>) {
  let members = arrayMembers.get(object);
  if (!members) {
    members = Object.entries(shape).filter(([, member]) => holdsArray(member, new Set()));
    arrayMembers.set(object, members);
  }
  return members;
}

const tooManyNames = "holds more than 1,000 names";

function hasMore(object: Json, names: number): boolean {
  let counted = 0;
  for (const _name in object) if (++counted > names) return true;
  return false;
}

/**
 * The first array with more items than its schema allows, or record with too many names, found before any of them is
 * parsed: zod parses them all first. An array inside another of the same schema counts towards the outer one's bound.
 */
export function longArray(
  schema: Schema,
  value: unknown,
  open: Map<Schema, { left: number }> = new Map(),
): LongArray | null {
  if (typeof value !== "object" || value === null) return null;
  for (const branch of branchesOf(schema)) {
    const { shape, element } = definitionOf(branch);
    let long: LongArray | null = null;
    if (element && Array.isArray(value)) long = longItems(branch, element, value, open);
    else if (isOpen(branch) && isObject(value) && hasMore(value, mostNames)) {
      long = { path: [], message: tooManyNames };
    } else if (shape && isObject(value)) {
      for (const [name, member] of arrayMembersOf(branch, shape)) {
        long ??= below(name, longArray(member, value[name], open));
      }
    }
    if (long) return long;
  }
  return null;
}

function longItems(
  array: Schema,
  element: Schema,
  items: readonly unknown[],
  open: Map<Schema, { left: number }>,
): LongArray | null {
  const bound = boundOf(array);
  if (!bound) return null;
  const outer = open.get(array);
  const counter = outer ?? { left: bound.most };
  counter.left -= items.length;
  if (counter.left < 0) return { path: [], message: bound.message };
  if (!outer) open.set(array, counter);
  let long: LongArray | null = null;
  for (let index = 0; index < items.length && !long; index++) {
    long = below(index, longArray(element, items[index], open));
  }
  if (!outer) open.delete(array);
  return long;
}

function below(key: PropertyKey, long: LongArray | null): LongArray | null {
  return long && { ...long, path: [key, ...long.path] };
}
