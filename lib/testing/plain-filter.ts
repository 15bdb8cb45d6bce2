import type { Consent } from "@/db/enums";
import type { SegmentOperator } from "@/lib/domain/segments/condition-schema";
import type { SegmentFilter, SegmentScalar } from "@/lib/domain/segments/schema";

/** A contact as the API shows it, except for its consent. */
export interface Person {
  email: string;
  firstName: string;
  lastName: string;
  consent: Consent;
  tags: string[];
  data: Record<string, unknown>;
  /** Ids of the lists they are subscribed to; absent where nobody asks for them. */
  lists?: readonly string[];
  createdAt: string;
  updatedAt: string;
}

const isScalar = (value: unknown): value is SegmentScalar =>
  ["string", "number", "boolean"].includes(typeof value);

/** Letter by letter, as Postgres does it: no final sigma, and no letter becomes two. */
const lower = (text: string) =>
  [...text].map((letter) => [...letter.toLowerCase()][0] ?? "").join("");

/** Has the value as a part, or at its beginning or end. */
function part(text: string, op: SegmentOperator, value: SegmentScalar): boolean {
  const wanted = lower(String(value));
  if (op === "starts_with") return lower(text).startsWith(wanted);
  if (op === "ends_with") return lower(text).endsWith(wanted);
  return op === "contains" && lower(text).includes(wanted);
}

function number(value: unknown): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? Number(value) : null;
}

function time(value: unknown): number | null {
  const form =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d(?:\.\d{1,6})?))?(Z|[+-]\d\d:\d\d)?)?$/;
  const match = typeof value === "string" ? form.exec(value) : null;
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((one) => Number(one ?? 0));
  if (!year || !month || !day || hour === undefined || minute === undefined) return null;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  if (!days || day > days || hour > 23 || minute > 59 || (second ?? 0) >= 60) return null;
  const offset = match[7] && match[7] !== "Z" ? match[7] : "+00:00";
  if (Number(offset.slice(1, 3)) > 14 || Number(offset.slice(4)) > 59) return null;
  const east = (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))) * 60_000;
  const local = Date.UTC(year, month - 1, day, hour, minute) + (second ?? 0) * 1000;
  return local - (offset.startsWith("-") ? -east : east);
}

/** What one field makes of an operator and a value that is not negated. */
function holds(person: Person, field: string, op: SegmentOperator, value: SegmentScalar): boolean {
  switch (field) {
    case "email":
      if (op === "eq") {
        return lower(person.email) === lower(String(value)).replace("@münchen", "@xn--mnchen-3ya");
      }
      return part(person.email, op, value);
    case "firstName":
    case "lastName":
      if (op === "eq") return person[field] === String(value);
      return part(person[field], op, value);
    case "subscribed":
      return op === "eq" && String(value) === String(person.consent === "subscribed");
    case "tags":
      return (op === "eq" || op === "contains") && person.tags.includes(String(value));
    case "list":
      return (op === "eq" || op === "contains") && !!person.lists?.includes(String(value));
    case "createdAt":
    case "updatedAt":
      // To the millisecond, as the API shows it.
      return compare(op, Math.floor(time(person[field]) ?? NaN), time(value)) ?? false;
    default:
      return dataHolds(valueAt(person, field), op, value);
  }
}

function compare(op: SegmentOperator, left: number | null, right: number | null): boolean | null {
  if (left === null || right === null) return null;
  if (op === "eq") return left === right;
  if (op === "gt") return left > right;
  return op === "lt" && left < right;
}

function valueAt(person: Person, field: string): unknown {
  const path = field.split(".").slice(1);
  return path.reduce<unknown>((at, key) => {
    const isObject = typeof at === "object" && at !== null && !Array.isArray(at);
    return isObject && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }, person.data);
}

function dataHolds(stored: unknown, op: SegmentOperator, value: SegmentScalar): boolean {
  if (op === "eq") return isScalar(stored) && String(stored) === String(value);
  if (op === "contains" && Array.isArray(stored)) {
    return stored.some((member) => isScalar(member) && String(member) === String(value));
  }
  if (op === "contains" || op === "starts_with" || op === "ends_with") {
    return typeof stored === "string" && part(stored, op, value);
  }
  return (
    compare(op, number(stored), number(value)) ?? compare(op, time(stored), time(value)) ?? false
  );
}

function exists(person: Person, field: string): boolean {
  if (field === "firstName" || field === "lastName") return person[field] !== "";
  if (field === "tags") return person.tags.length > 0;
  if (field === "list") return !!person.lists?.length;
  return field.startsWith("data.") ? (valueAt(person, field) ?? null) !== null : true;
}

/** The person's time under a field, as far back from now as is given; null when there is none. */
function millisecondsBack(person: Person, field: string, now: string): number | null {
  const stored =
    field === "createdAt" || field === "updatedAt" ? person[field] : valueAt(person, field);
  const at = time(stored);
  return at === null ? null : (time(now) ?? NaN) - at;
}

/** What a filter means at a time, read word by word: tests compare the compiled SQL with it. */
export function matches(filter: SegmentFilter, person: Person, now: string): boolean {
  const { and, or, field = "", op, value, days = 0, hours = 24 * days } = filter;
  if (and) return and.every((one) => matches(one, person, now));
  if (or) return or.some((one) => matches(one, person, now));
  if (op === "in_last" || op === "not_in_last" || op === "before_last") {
    const back = millisecondsBack(person, field, now);
    const length = hours * 3_600_000;
    if (op === "before_last") return back !== null && back > length;
    const isInLast = back !== null && back >= 0 && back <= length;
    return isInLast === (op === "in_last");
  }
  const values = [value ?? []].flat();
  const some = (positive: SegmentOperator) =>
    values.some((one) => holds(person, field, positive, one));
  switch (op) {
    case "exists":
      return exists(person, field) === (value !== false);
    case "neq":
      return !some("eq");
    case "not_contains":
      return !some("contains");
    case "in":
      return some("eq");
    case undefined:
      throw new Error("A filter was not checked.");
    default:
      return some(op);
  }
}
