import { nearestName } from "@/lib/ground/nearest-name";
import {
  affixOperators,
  campaignField,
  campaignOutcomes,
  countFields,
  dataField,
  isCountField,
  isoInstant,
  isPeriodOperator,
  listId,
  mostCounted,
  periodOperators,
  segmentFields,
  textFields,
  timeFields,
  type CountField,
  type SegmentOperator,
} from "./condition-schema";

/** A part of a filter as far as its fields have been checked one by one. */
interface Part {
  and?: readonly unknown[] | undefined;
  or?: readonly unknown[] | undefined;
  field?: string | undefined;
  op?: SegmentOperator | undefined;
  value?: unknown;
  days?: number | undefined;
  hours?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  campaign?: string | undefined;
}

type Fault = [path: string[], message: string];

/** What is wrong with a part, each with its place in it. */
export function conditionFaults(part: Part): Fault[] {
  const { and, or, field, op } = part;
  if (and || or) {
    if (and && or) return [[[], "has both `and` and `or`: put one inside the other"]];
    const isCondition = Object.entries(part).some(
      ([key, entry]) => entry !== undefined && key !== "and" && key !== "or",
    );
    if (isCondition) {
      return [[[], "is both a group and a condition"]];
    }
    return or?.length === 0 ? [[["or"], "is empty"]] : [];
  }
  const problems: Fault[] = [];
  if (field === undefined) problems.push([["field"], "is required"]);
  else if (!isField(field)) problems.push([["field"], fieldFault(field)]);
  if (op === undefined) problems.push([["op"], "is required"]);
  if (field === undefined || op === undefined || problems.length > 0) return problems;
  if (isCountField(field)) return countFaults(part, field, op);
  if (op === "at_least" || op === "at_most") {
    return [[["op"], `does not apply to ${field}, but to ${countFields.join(", ")}`]];
  }
  return isPeriodOperator(op)
    ? [...strayOf(part, ["from", "to", "campaign"]), ...periodFaults(part, field, op)]
    : [
        ...strayOf(part, ["days", "hours", "from", "to", "campaign"]),
        ...valueFaults(field, op, part.value),
      ];
}

function fieldFault(field: string): string {
  const nearest = nearestName(field, segmentFields);
  const allowed = `${segmentFields.join(", ")}, data.<key>, campaign.<id>`;
  return `is not one of ${allowed}${nearest ? `; did you mean ${nearest}?` : ""}`;
}

function isField(field: string): boolean {
  return (
    (segmentFields as readonly string[]).includes(field) ||
    dataField.test(field) ||
    campaignField.test(field)
  );
}

function strayOf(part: Part, keys: readonly ("days" | "hours" | "from" | "to" | "campaign")[]) {
  return keys.flatMap((key): Fault[] => {
    if (part[key] === undefined) return [];
    const operators = key === "days" || key === "hours" ? periodOperators : [];
    return [[[key], `goes only with ${[...operators, ...countFields].join(", ")}`]];
  });
}

/** A number of emails, ever or in one period, of any mail or one campaign. */
function countFaults(part: Part, field: CountField, op: SegmentOperator): Fault[] {
  if (op !== "at_least" && op !== "at_most" && op !== "eq") {
    return [[["op"], `does not apply to ${field}, which takes at_least, at_most and eq`]];
  }
  const { value, days, hours, from, to, campaign } = part;
  if (value === undefined) return [[["value"], "is required"]];
  const least = op === "at_least" ? 1 : 0;
  const isNumber =
    Number.isInteger(value) && Number(value) >= least && Number(value) <= mostCounted;
  const problems: Fault[] = isNumber
    ? []
    : [[["value"], `is not a whole number from ${least} to ${mostCounted}`]];
  const isBetween = from !== undefined || to !== undefined;
  if (days !== undefined && hours !== undefined) {
    problems.push([["hours"], "cannot be combined with days"]);
  } else if (isBetween && (days ?? hours) !== undefined) {
    problems.push([[days === undefined ? "hours" : "days"], "cannot be combined with from or to"]);
  }
  const begin = from === undefined ? null : isoInstant(from);
  const end = to === undefined ? null : isoInstant(to);
  const misread = "is not an ISO date or date-time";
  if (from !== undefined && begin === null) problems.push([["from"], misread]);
  if (to !== undefined && end === null) problems.push([["to"], misread]);
  if (begin !== null && end !== null && Date.parse(end) < Date.parse(begin)) {
    problems.push([["to"], "is before from"]);
  }
  if (campaign !== undefined && !campaignField.test(`campaign.${campaign}`)) {
    problems.push([["campaign"], "is not the id of a campaign"]);
  }
  return problems;
}

function periodFaults({ value, days, hours }: Part, field: string, op: SegmentOperator): Fault[] {
  if (!timeFields.includes(field) && !dataField.test(field)) {
    return [[["op"], `does not apply to ${field}`]];
  }
  if (value !== undefined) return [[["value"], `does not go with ${op}: give days or hours`]];
  if (days === undefined && hours === undefined) return [[["days"], "is required, or hours"]];
  return days !== undefined && hours !== undefined
    ? [[["hours"], "cannot be combined with days"]]
    : [];
}

function valueFaults(field: string, op: SegmentOperator, value: unknown): Fault[] {
  if (op === "exists") {
    return value === undefined || typeof value === "boolean"
      ? []
      : [[["value"], "is not a boolean"]];
  }
  if (value === undefined) return [[["value"], "is required"]];
  if (op === "in" ? !Array.isArray(value) : Array.isArray(value)) {
    return [[["value"], op === "in" ? "is not a list" : "is a list, which only `in` accepts"]];
  }
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) return [[["value"], "is empty"]];
  if (affixOperators.includes(op)) {
    if (!textFields.includes(field) && !dataField.test(field)) {
      return [[["op"], `does not apply to ${field}`]];
    }
    return value === "" ? [[["value"], "is empty"]] : [];
  }
  const isList = field === "list";
  if (!isList && !field.startsWith("campaign.")) return [];
  if (op === "gt" || op === "lt") return [[["op"], `does not apply to ${field}`]];
  const isValid = (candidate: unknown) =>
    isList
      ? listId.test(String(candidate))
      : (campaignOutcomes as readonly unknown[]).includes(candidate);
  if (values.every(isValid)) return [];
  const wanted = isList
    ? "is not the id of a list"
    : `is not one of ${campaignOutcomes.join(", ")}`;
  return [[["value"], wanted]];
}
