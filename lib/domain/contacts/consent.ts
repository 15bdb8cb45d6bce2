import type { Executor } from "@/db/client";
import type { Consent } from "@/db/enums";
import { audit } from "@/lib/ground/audit";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";

/** What a change of consent is told as: one event or none. */
export function consentEvents(
  before: Consent,
  after: Consent,
): ("contact.subscribed" | "contact.unsubscribed")[] {
  return before === after || after === "never" ? [] : [`contact.${after}`];
}

/** Records whose act changed a person's (uuid) consent, and from what; nothing when it did not change. */
export async function auditConsent(
  executor: Executor,
  ctx: Pick<Context, "projectId" | "actor" | "requestId" | "origin">,
  { id, consent }: { id: string; consent: Consent },
  before: Consent,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (before === consent || consent === "never") return;
  const action = consent === "subscribed" ? "subscribe.contact" : "unsubscribe.contact";
  await audit(executor, ctx, action, encodeId("contact", id), { before, ...details });
}
