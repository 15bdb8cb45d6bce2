import { keptKinds, type KeptKind } from "@/db/enums";
import type { projects } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { invalid } from "@/lib/ground/errors";
import type { Retention, RetentionUpdate } from "./schema";

type Stored = (typeof projects.$inferSelect)["retention"];

/** What a domain page shows at most; the clean-up takes the reports of everybody away after that. */
const mostReportDays = 90;

/** Days for which the installation keeps what the kind says; null: for good. */
export function installationDays(kind: KeptKind): number | null {
  const { KEEP_EMAILS_DAYS, KEEP_CAPTURED_DAYS, KEEP_DELIVERIES_DAYS, KEEP_AUDIT_DAYS } = env();
  const days = {
    emails: KEEP_EMAILS_DAYS,
    captured: KEEP_CAPTURED_DAYS,
    webhookDeliveries: KEEP_DELIVERIES_DAYS,
    audit: KEEP_AUDIT_DAYS,
    reports: mostReportDays,
  };
  return days[kind] ?? null;
}

/** Days for which a project keeps it: the fewer of its own and the installation's; null: for good. */
export function keptDays(stored: Stored, kind: KeptKind): number | null {
  const limits = [stored[kind], installationDays(kind)].filter((days) => typeof days === "number");
  return limits.length === 0 ? null : Math.min(...limits);
}

export function toRetention(stored: Stored): Retention {
  const kept = (kind: KeptKind) => ({
    days: stored[kind] ?? null,
    atMost: installationDays(kind),
  });
  return {
    emails: kept("emails"),
    captured: kept("captured"),
    webhookDeliveries: kept("webhookDeliveries"),
    audit: kept("audit"),
    reports: kept("reports"),
  };
}

/** What is to be stored. Throws VALIDATION_ERROR for more days than the installation keeps anything. */
export function changedRetention(before: Stored, input: RetentionUpdate): Stored {
  const after = { ...before };
  for (const kind of keptKinds) {
    const days = input[kind];
    if (days === undefined) continue;
    if (days === null) {
      delete after[kind];
      continue;
    }
    const most = installationDays(kind);
    if (most !== null && days > most) {
      throw invalid(`retention.${kind}`, `is more than the ${most} days of this installation`);
    }
    after[kind] = days;
  }
  return after;
}
