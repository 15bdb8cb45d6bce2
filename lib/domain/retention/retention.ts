import { keptKinds, type KeptKind } from "@/db/enums";
import type { projects } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { invalid } from "@/lib/ground/errors";
import type { Retention, RetentionUpdate } from "./schema";

type Stored = (typeof projects.$inferSelect)["retention"];

/** The most a domain page shows; the clean-up then deletes everybody's reports. */
const mostReportDays = 90;

/** Days for which the installation keeps data of a kind; null: indefinitely. */
export function installationDays(kind: KeptKind): number | null {
  const settings = env();
  const days: Record<KeptKind, number | undefined> = {
    emails: settings.KEEP_EMAILS_DAYS,
    contents: settings.KEEP_CONTENTS_DAYS,
    events: settings.KEEP_EVENTS_DAYS,
    links: settings.KEEP_LINKS_DAYS,
    captured: settings.KEEP_CAPTURED_DAYS,
    received: settings.KEEP_RECEIVED_DAYS,
    webhookDeliveries: settings.KEEP_DELIVERIES_DAYS,
    audit: settings.KEEP_AUDIT_DAYS,
    reports: mostReportDays,
  };
  return days[kind] ?? null;
}

/**
 * Days for which a project keeps it, its own or the installation's number, whichever is lower; null: indefinitely.
 */
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
    contents: kept("contents"),
    events: kept("events"),
    links: kept("links"),
    captured: kept("captured"),
    received: kept("received"),
    webhookDeliveries: kept("webhookDeliveries"),
    audit: kept("audit"),
    reports: kept("reports"),
  };
}

/** The values to store. Throws VALIDATION_ERROR for more days than the installation allows. */
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
      throw invalid(`retention.${kind}`, `is more than this installation's ${most} days`);
    }
    after[kind] = days;
  }
  return after;
}
