import type { Executor } from "@/db/client";
import type { Consent } from "@/db/enums";
import { auditAll, type Act } from "@/lib/ground/audit";
import { encodeId } from "@/lib/ground/ids/ids";

/** The webhook event of a change of consent: one or none. */
export function consentEvents(
  before: Consent,
  after: Consent,
): ("contact.subscribed" | "contact.unsubscribed")[] {
  return before === after || after === "never" ? [] : [`contact.${after}`];
}

/** The act that changed a person's consent; none when it did not change, or the contact (uuid) is new. */
export function consentActs(
  ctx: Act["ctx"],
  { id, consent, before }: { id: string; consent: Consent; before: Consent | null },
  details: Record<string, unknown> = {},
): Act[] {
  if (before === null || before === consent || consent === "never") return [];
  const action = consent === "subscribed" ? "subscribe.contact" : "unsubscribe.contact";
  return [{ ctx, action, target: encodeId("contact", id), details: { before, ...details } }];
}

/** Records who changed a person's (uuid) consent, and what it was before; does nothing when it did not change. */
export async function auditConsent(
  executor: Executor,
  ctx: Act["ctx"],
  { id, consent }: { id: string; consent: Consent },
  before: Consent,
  details: Record<string, unknown> = {},
): Promise<void> {
  await auditAll(executor, consentActs(ctx, { id, consent, before }, details));
}
