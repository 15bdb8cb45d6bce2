import { sql, type SQL } from "drizzle-orm";
import { containing, endingWith, startingWith } from "@/lib/ground/paging/like";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { isoInstant, isoPattern } from "./condition-schema";
import { noConditions, type FieldConditions } from "./field-conditions";
import type { SegmentScalar } from "./schema";

const never = sql`false`;

/** The JSON scalars that equal a value: its text, and the number or boolean written that way. */
function spellings(value: SegmentScalar): SegmentScalar[] {
  const text = String(value);
  if (text === "true" || text === "false") return [text, text === "true"];
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? [text, number] : [text];
}

/** `data @> {"a": {"b": leaf}}`: what the index on custom data answers, at any depth. */
function has(path: readonly string[], leaf: unknown): SQL {
  const tree = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), leaf);
  return sql`${c.data} @> ${JSON.stringify(tree)}::jsonb`;
}

const anyOf = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`;

/** Conditions on custom data at a path of keys. Null counts as missing. */
export function dataConditions(path: readonly string[]): FieldConditions {
  const parent = path
    .slice(0, -1)
    .reduce((inner, key) => sql`${inner} -> ${key}::text`, sql`${c.data}`);
  const json = sql`(${parent} -> ${path.at(-1)}::text)`;
  const text = sql`(${parent} ->> ${path.at(-1)}::text)`;

  const like = (pattern: string) => sql`case jsonb_typeof(${json})
      when 'string' then ${text} ilike ${pattern} else false end`;

  return {
    ...noConditions,

    equals: (values) => anyOf(values.flatMap(spellings).map((spelling) => has(path, spelling))),

    contains: (value) => sql`case jsonb_typeof(${json})
      when 'string' then ${text} ilike ${containing(String(value))}
      when 'array' then ${anyOf(spellings(value).map((spelling) => has(path, [spelling])))}
      else false end`,

    startsWith: (value) => like(startingWith(value)),
    endsWith: (value) => like(endingWith(value)),

    compares(than, value) {
      const sign = than === "gt" ? sql`>` : sql`<`;
      const operand = String(value);
      if (typeof value === "number" || /^-?\d+(\.\d+)?$/.test(operand)) {
        return sql`case jsonb_typeof(${json})
          when 'number' then ${json}::numeric ${sign} ${operand}::numeric
          when 'string' then case when ${text} ~ '^-?[0-9]+([.][0-9]+)?$'
            then ${text}::numeric ${sign} ${operand}::numeric else false end
          else false end`;
      }
      const instant = isoInstant(operand);
      return instant ? comparesInstants(json, text, than, instant) : never;
    },

    since: (instant) =>
      asInstant(
        json,
        text,
        sql`${text} collate "C" >= ${day(instant, -1)} and ${text} collate "C" < ${day(sql`app_now()`, 2)}`,
        (at) => sql`tstzrange(${instant}, app_now(), '[]') @> ${at}`,
      ),
    before: (instant) =>
      asInstant(
        json,
        text,
        sql`${text} collate "C" >= '0001' and ${text} collate "C" < ${day(instant, 2)}`,
        (at) => sql`${at} < ${instant}`,
      ),

    exists: () => sql`coalesce(jsonb_typeof(${json}) <> 'null', false)`,
  };
}

const dayMilliseconds = 86_400_000;

/** The day of an instant as text, some days on: worked out once for a statement. */
const day = (instant: SQL, daysOn: number) =>
  sql`(select to_char((${instant} at time zone 'UTC') + make_interval(days => ${sql.raw(String(daysOn))}), 'YYYY-MM-DD'))`;

/** ISO dates before or after an instant. */
function comparesInstants(json: SQL, text: SQL, than: "gt" | "lt", instant: string): SQL {
  const shifted = new Date(Date.parse(instant) + (than === "gt" ? -1 : 2) * dayMilliseconds);
  const bound = /^\d{4}-\d\d-\d\d/.exec(shifted.toISOString())?.[0];
  // Postgres has no year 0.
  const least = than === "gt" && bound !== undefined && bound > "0001" ? bound : "0001";
  const near =
    than === "lt" && bound !== undefined
      ? sql`${text} collate "C" >= ${least} and ${text} collate "C" < ${bound}`
      : sql`${text} collate "C" >= ${least}`;
  const sign = than === "gt" ? sql`>` : sql`<`;
  return asInstant(json, text, near, (at) => sql`${at} ${sign} ${instant}::timestamptz`);
}

/**
 * ISO dates whose instant meets a condition. As text they sort by time, except for up to a day that offsets may shift
 * them: anything further off (not `near`) is skipped before the regular expression, which costs more than all the
 * rest. Dates that do not exist do not match; casting them would abort the statement.
 */
function asInstant(json: SQL, text: SQL, near: SQL, meets: (at: SQL) => SQL): SQL {
  const dayOfMonth = sql`substr(${text}, 9, 2)`;
  const lastDay = sql`extract(day from
    make_date(substr(${text}, 1, 4)::int, substr(${text}, 6, 2)::int, 1) + interval '1 month -1 day')`;
  const hasOffset = sql`right(${text}, 1) = 'Z'
    or length(${text}) > 16 and substr(right(${text}, 6), 1, 1) in ('+', '-')`;
  const at = sql`(${text} || case when ${hasOffset} then '' else 'Z' end)::timestamptz`;
  return sql`case when jsonb_typeof(${json}) = 'string' and ${text} like '____-__-__%' and ${near}
    then case when ${text} ~ ${isoPattern} then
      case when ${dayOfMonth} <= '28' or ${dayOfMonth}::int <= ${lastDay} then ${meets(at)}
      else false end
    else false end else false end`;
}
