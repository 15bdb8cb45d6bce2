import type { RecordCheck } from "@/db/schema/domains";
import type { DomainRecord } from "./schema";

function statusOf(check: RecordCheck | undefined): DomainRecord["status"] {
  if (!check) return "PENDING";
  if (check.ok) return "VERIFIED";
  return check.kind === "unreachable" ? "PENDING" : "FAILED";
}

/** What a look-up made of a record, as callers see it; undefined: none was made. */
export function recordState(
  check: RecordCheck | undefined,
): Pick<DomainRecord, "status" | "found" | "problem"> {
  return {
    status: statusOf(check),
    found: check?.found ?? [],
    problem: check?.kind ? { kind: check.kind, message: check.problem ?? "" } : null,
  };
}
