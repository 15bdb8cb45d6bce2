import { z } from "zod";
import { openObject } from "@/lib/ground/open-object-schema";
import { amount } from "@/lib/ground/amount";
import { blocks, emailDesign, mostBlocks } from "./schema";

const mostFaults = 10;
/** Of the JSON of a design or of blocks: a long email has some thousand. */
const mostValues = 50_000;

function hasMoreValues(json: unknown, most: number): boolean {
  const waiting = [json];
  let seen = 0;
  while (waiting.length > 0) {
    const members = Object.values(waiting.pop() ?? {}) as unknown[];
    seen += members.length;
    if (seen > most) return true;
    for (const member of members) if (typeof member === "object") waiting.push(member);
  }
  return false;
}

/** Why a value is not even read: its schema would name each of a million faults. */
function excessOf(value: unknown, longest: number): string | null {
  if (hasMoreValues(value, mostValues)) return `holds more than ${amount(mostValues)} values`;
  if (longest === Infinity || JSON.stringify(value).length <= longest) return null;
  return `is larger than ${amount(longest)} characters of JSON`;
}

/** Names the faults that `schema` finds in a value, each at its place. `longest`: characters of JSON. */
const checkedBy =
  (schema: z.ZodType, longest = Infinity) =>
  (value: unknown, ctx: z.core.$RefinementCtx): void => {
    const excess = excessOf(value, longest);
    const faults = excess
      ? [{ path: [], message: excess }]
      : (schema.safeParse(value).error?.issues.slice(0, mostFaults) ?? []);
    for (const { path, message } of faults) ctx.addIssue({ code: "custom", path, message });
  };

/** A design as request bodies carry it. The API documents name it, but not each kind of block. */
export const designInput = openObject(z.string(), z.unknown())
  .superRefine(checkedBy(emailDesign))
  .nullable()
  .optional();

/** The same in a response. */
export const designOutput = z.record(z.string(), z.unknown()).nullable();

/** Some of a design's blocks, as request bodies carry them. */
export const blocksInput = z
  .array(openObject(z.string(), z.unknown()))
  .max(mostBlocks, `holds more than ${mostBlocks} blocks`)
  .superRefine(checkedBy(blocks, 50_000));

/** The same in a response. */
export const blocksOutput = z.array(z.record(z.string(), z.unknown()));
