import { z } from "zod";
import { excluded } from "@/lib/domain/contact-states/schema";
import { pageQuery } from "@/lib/ground/paging/schema";
import { basedOn } from "@/lib/ground/updates/schema";

/** What a filter can compare, in addition to `data.<key>` of any depth and `campaign.<id>`. */
export const segmentFields = [
  "email",
  "firstName",
  "lastName",
  "subscribed",
  "tags",
  "createdAt",
  "updatedAt",
  "list",
  "lastOpenedAt",
  "lastClickedAt",
  "lastSentAt",
  "lastSeenAt",
  "engagementScore",
  "inactiveDays",
  "ignoredEmails",
] as const;

export const segmentOperators = [
  "eq",
  "neq",
  "contains",
  "not_contains",
  "gt",
  "lt",
  "in",
  "exists",
] as const;
export type SegmentOperator = (typeof segmentOperators)[number];

/** What a campaign's email came to, as values of `campaign.<id>`. */
export const campaignOutcomes = [
  "sent",
  "delivered",
  "opened",
  "clicked",
  "not_opened",
  "not_clicked",
  "bounced",
  "complained",
  "unsubscribed",
] as const;

const mostConditions = 100;
/** Conditions and groups of a whole filter: a bound on the work, far above what a filter of 100 conditions needs. */
const mostParts = 1000;
const mostValues = 100;
const deepest = 10;
const crockford = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const dataField = /^data(\.[^.]+)+$/;
const campaignField = new RegExp(`^campaign\\.cmp_${crockford}$`);
const listId = new RegExp(`^lst_${crockford}$`);

/**
 * `2026-11-21` or `2026-11-21T09:30[:00[.123456]][Z|+01:00]`, as Postgres and JavaScript both read it;
 * the caller checks that the year and day exist (a look-ahead would double Postgres's time).
 */
export const isoPattern =
  "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])" +
  "(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,6})?)?" +
  "(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?)?$";
const isoForm = new RegExp(isoPattern);

/**
 * The instant that an ISO date or date-time means, as text with an offset (UTC when it has none); null when it is
 * neither.
 */
export function isoInstant(text: string): string | null {
  if (!isoForm.test(text) || text < "0001") return null;
  const lastDay = new Date(`${text.slice(0, 7)}-01T00:00Z`);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  if (Number(text.slice(8, 10)) > lastDay.getUTCDate()) return null;
  if (text.length === 10) return `${text}T00:00Z`;
  return /(Z|[+-]\d\d:\d\d)$/.test(text.slice(10)) ? text : `${text}Z`;
}

const scalar = z.union([z.string().max(2000), z.number(), z.boolean()], {
  error: "is not a text of up to 2000 characters, a number or a boolean",
});
export type SegmentScalar = z.infer<typeof scalar>;

interface Node {
  and?: Node[] | undefined;
  or?: Node[] | undefined;
  field?: string | undefined;
  op?: SegmentOperator | undefined;
  value?: SegmentScalar | SegmentScalar[] | undefined;
}

const node: z.ZodType<Node> = z
  .strictObject(
    {
      get and() {
        return parts.optional().meta({ description: "All of these hold." });
      },
      get or() {
        return parts.optional().meta({ description: "One of these holds." });
      },
      field: z
        .string()
        .max(500)
        .optional()
        .meta({
          description: `${segmentFields.join(", ")}, \`data.<key>\` (any depth, dots between) or \`campaign.<id>\`.`,
          example: "data.plan",
        }),
      op: z
        .enum(segmentOperators, { error: `is not one of ${segmentOperators.join(", ")}` })
        .optional(),
      value: z
        .union([scalar, z.array(scalar).max(mostValues, `holds more than ${mostValues} values`)], {
          error: "is not a text, a number, a boolean or, with in, a list of these",
        })
        .optional()
        .meta({
          description: "With `in`, a list; with `exists`, a boolean that defaults to true.",
        }),
    },
    { error: ({ code }) => (code === "unrecognized_keys" ? undefined : "is not an object") },
  )
  .superRefine((part, context) => {
    for (const [path, message] of faults(part)) {
      context.addIssue({ code: "custom", path, message });
    }
  })
  .meta({
    id: "SegmentFilterPart",
    description: "A group ({and} or {or}) or a condition ({field, op, value}).",
  });

const parts = z.array(node).max(mostParts, `holds more than ${mostConditions} conditions`);

/** A group of conditions and groups, with its field and operator names checked. */
export const segmentFilter = node
  .superRefine((filter, context) => {
    if (filter.field !== undefined || filter.op !== undefined || !(filter.and ?? filter.or)) {
      context.addIssue({ code: "custom", message: 'is not {"and": [...]} or {"or": [...]}' });
    }
    if (countConditions(filter) > mostConditions) {
      context.addIssue({ code: "custom", message: `holds more than ${mostConditions} conditions` });
    }
    if (depth(filter) > deepest) {
      context.addIssue({ code: "custom", message: `is nested deeper than ${deepest} groups` });
    }
  })
  .meta({
    id: "SegmentFilter",
    description: "Conditions joined by `and` or `or`; each may be a group itself.",
    example: { and: [{ field: "data.plan", op: "eq", value: "pro" }] },
  });
export type SegmentFilter = z.infer<typeof segmentFilter>;

const partsOf = (node: Node) => [...(node.and ?? []), ...(node.or ?? [])];
const countConditions = (node: Node): number =>
  node.and || node.or ? partsOf(node).reduce((sum, part) => sum + countConditions(part), 0) : 1;
const depth = (node: Node): number =>
  node.and || node.or ? 1 + Math.max(0, ...partsOf(node).map(depth)) : 0;

type Fault = [path: string[], message: string];

function faults({ and, or, field, op, value }: Node): Fault[] {
  if (and || or) {
    if (and && or) return [[[], "has both `and` and `or`: put one inside the other"]];
    if (field !== undefined || op !== undefined || value !== undefined) {
      return [[[], "is both a group and a condition"]];
    }
    return or?.length === 0 ? [[["or"], "is empty"]] : [];
  }
  const problems: Fault[] = [];
  if (field === undefined) problems.push([["field"], "is required"]);
  else if (!isField(field)) {
    const allowed = `${segmentFields.join(", ")}, data.<key>, campaign.<id>`;
    problems.push([["field"], `is not one of ${allowed}`]);
  }
  if (op === undefined) problems.push([["op"], "is required"]);
  return field === undefined || op === undefined || problems.length > 0
    ? problems
    : valueFaults(field, op, value);
}

function isField(field: string): boolean {
  return (
    (segmentFields as readonly string[]).includes(field) ||
    dataField.test(field) ||
    campaignField.test(field)
  );
}

function valueFaults(field: string, op: SegmentOperator, value: Node["value"]): Fault[] {
  if (op === "exists") {
    return value === undefined || typeof value === "boolean"
      ? []
      : [[["value"], "is not a boolean"]];
  }
  if (value === undefined) return [[["value"], "is required"]];
  if (op === "in" ? !Array.isArray(value) : Array.isArray(value)) {
    return [[["value"], op === "in" ? "is not a list" : "is a list, which only `in` accepts"]];
  }
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0) return [[["value"], "is empty"]];
  const isList = field === "list";
  if (!isList && !field.startsWith("campaign.")) return [];
  if (op === "gt" || op === "lt") return [[["op"], `does not apply to ${field}`]];
  const isValid = (value: SegmentScalar) =>
    isList ? listId.test(String(value)) : (campaignOutcomes as readonly unknown[]).includes(value);
  return values.every(isValid)
    ? []
    : [
        [
          ["value"],
          isList ? "is not the id of a list" : `is not one of ${campaignOutcomes.join(", ")}`,
        ],
      ];
}

const name = z.string().trim().min(1, "is required").max(200).meta({ example: "Pro plan" });

export const segmentInput = z
  .strictObject({ name, filter: segmentFilter })
  .meta({ id: "SegmentInput" });
export type SegmentInput = z.infer<typeof segmentInput>;

export const segmentUpdate = segmentInput
  .partial()
  .extend({ basedOn })
  .meta({ id: "SegmentUpdate", description: "Only the given fields change." });
export type SegmentUpdate = z.infer<typeof segmentUpdate>;

export const segmentPreviewInput = z
  .strictObject({ filter: segmentFilter })
  .meta({ id: "SegmentPreviewRequest" });

export const segment = z
  .object({
    id: z.string().meta({ example: "seg_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    name: z.string(),
    filter: segmentFilter,
    contactCount: z.int().meta({ description: "As of `countedAt`, at most 60 seconds ago." }),
    reachableCount: z.int().meta({
      description:
        "How many of them a campaign to the segment would reach: `contactCount` minus `excluded`.",
    }),
    excluded,
    countedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Null while it is being counted for the first time." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Segment" });
export type Segment = z.infer<typeof segment>;

export const segmentQuery = pageQuery.extend({
  search: z.string().trim().max(200).optional().meta({ description: "Part of the name." }),
});
export type SegmentQuery = z.infer<typeof segmentQuery>;

/** What a field holds, and so which operators and values fit it. */
export const segmentFieldKinds = [
  "text",
  "number",
  "boolean",
  "date",
  "members",
  "list",
  "outcome",
] as const;
export type SegmentFieldKind = (typeof segmentFieldKinds)[number];

const segmentField = z.object({
  field: z.string().meta({ example: "data.plan" }),
  label: z.string().optional().meta({ description: "For a campaign: its name." }),
  kind: z.enum(segmentFieldKinds),
  values: z
    .array(z.object({ value: scalar, label: z.string().optional() }))
    .meta({ description: "Most common first; for lists, newest first." }),
});
export type SegmentField = z.infer<typeof segmentField>;

export const segmentSuggestions = z
  .object({
    fields: z.array(segmentField),
    sampled: z.int().meta({ description: "How many contacts were looked at." }),
  })
  .meta({ id: "SegmentSuggestions" });
export type SegmentSuggestions = z.infer<typeof segmentSuggestions>;
