import { z } from "zod";
import { excluded } from "@/lib/domain/contact-states/schema";
import { longCursor, pageQuery } from "@/lib/ground/paging/schema";
import { nearestName } from "@/lib/ground/nearest-name";
import { basedOn } from "@/lib/ground/updates/schema";
import { conditionFaults } from "./faults-schema";
import {
  mostOfUnit,
  segmentFields,
  segmentOperators,
  type SegmentOperator,
} from "./condition-schema";

const mostConditions = 100;
/** Conditions and groups of a whole filter: a bound on the work, far above what a filter of 100 conditions needs. */
const mostParts = 1000;
const mostValues = 100;
const deepest = 10;

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
  days?: number | undefined;
  hours?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  campaign?: string | undefined;
}

const amountOf = (unit: string) =>
  z
    .int()
    .min(1)
    .max(mostOfUnit)
    .optional()
    .meta({
      description: `With in_last, not_in_last, before_last and numbers of emails: how many ${unit}, back from the moment of use.`,
    });

function operatorFault(input: unknown): string {
  const nearest = typeof input === "string" ? nearestName(input, segmentOperators) : null;
  const meant = nearest ? `; did you mean ${nearest}?` : "";
  return `is not one of ${segmentOperators.join(", ")}${meant}`;
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
        .enum(segmentOperators, { error: ({ input }) => operatorFault(input) })
        .optional()
        .meta({
          description:
            "`not_in_last` holds for whoever has no such time, or one to come; `before_last` for a time further back than that. `at_least`, `at_most` and `eq` count emails.",
        }),
      value: z
        .union([scalar, z.array(scalar).max(mostValues, `holds more than ${mostValues} values`)], {
          error: "is not a text, a number, a boolean or, with in, a list of these",
        })
        .optional()
        .meta({
          description:
            "With `in`, a list; with `exists`, a boolean that defaults to true; none with `in_last`, `not_in_last` and `before_last`.",
        }),
      days: amountOf("days of 24 hours"),
      hours: amountOf("hours"),
      from: z.string().max(40).optional().meta({
        description: "With numbers of emails: an ISO date or date-time, from which they count.",
        example: "2026-01-01",
      }),
      to: z.string().max(40).optional().meta({
        description: "With numbers of emails: until when, inclusive; a date means all of its day.",
        example: "2026-03-31",
      }),
      campaign: z.string().max(100).optional().meta({
        description: "With numbers of emails: only those of this campaign.",
        example: "cmp_01kat4rz8sfq3v6d1mpx3k6w9j",
      }),
    },
    { error: ({ code }) => (code === "unrecognized_keys" ? undefined : "is not an object") },
  )
  .superRefine((part, context) => {
    for (const [path, message] of conditionFaults(part)) {
      context.addIssue({ code: "custom", path, message });
    }
  })
  .meta({
    id: "SegmentFilterPart",
    description:
      "A group ({and} or {or}) or a condition ({field, op, value}, or {field, op, days} for times).",
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
/** The dashboard's list. Of segments a project has some hundreds at most: nothing but their ids has an index. */
export const segmentListQuery = segmentQuery.extend({
  cursor: longCursor,
  sort: z
    .enum(["-createdAt", "name", "-name", "contacts", "-contacts", "updatedAt", "-updatedAt"])
    .optional(),
});
export type SegmentQuery = z.infer<typeof segmentListQuery>;

/** What a field holds, and so which operators and values fit it. */
export const segmentFieldKinds = [
  "text",
  "number",
  "boolean",
  "date",
  "members",
  "list",
  "outcome",
  "count",
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
