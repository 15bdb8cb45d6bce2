import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { consentChanges, emailEvents, emails, idempotencyKeys } from "@/db/schema";
import { recordReportOf } from "@/lib/domain/delivery-reports/report";
import { unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { byId } from "@/lib/ground/by-id";
import { isAppError } from "@/lib/ground/errors";
import { sha256 } from "@/lib/ground/secrets";
import { storableText } from "@/lib/ground/storable-text";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import type { ProviderReport } from "./provider-report";

/** Whether the signature was never shown with another body. A repeated call is another try after a lost answer. */
export async function isFirstUse(
  { db, projectId, route }: { db: Database; projectId: string; route: string },
  nonce: string,
  body: Buffer,
): Promise<boolean> {
  const bodyHash = sha256(body);
  await db
    .insert(idempotencyKeys)
    .values({ projectId, route, key: nonce, bodyHash, response: "" })
    .onConflictDoNothing();
  const [used] = await db
    .select({ bodyHash: idempotencyKeys.bodyHash })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.projectId, projectId),
        eq(idempotencyKeys.route, route),
        eq(idempotencyKeys.key, nonce),
      ),
    );
  return used !== undefined && used.bodyHash.equals(bodyHash);
}

/** Records one report on a project's email; `label`: whose it is, as people call it. */
export async function recordReported(
  { db, projectId, label }: { db: Database; projectId: string; label: string },
  emailId: string,
  { report, words, cause }: ProviderReport,
): Promise<void> {
  if (report.kind === "unsubscribed") return unsubscribe({ db, projectId }, emailId);
  const response = storableText(words?.text ?? "");
  const data = {
    ...(words?.code ? { code: words.code } : {}),
    ...(words?.enhancedCode ? { enhancedCode: words.enhancedCode } : {}),
    ...(response ? { response } : {}),
    ...(cause ? { cause } : {}),
    reportedBy: label,
    via: "provider" as const,
  };
  try {
    await recordReportOf({ db, projectId }, emailId, report, data);
  } catch (error) {
    // It is another project's, or was deleted.
    if (!isAppError(error) || error.code !== "NOT_FOUND") throw error;
  }
}

/** The email's reader has left a topic by it, and nothing by their mail program. */
const leftOnlyTopic = sql`(exists (select from ${emailEvents}
  where ${emailEvents.emailId} = ${emails.id} and ${emailEvents.name} = 'unsubscribed'
    and ${emailEvents.data} ? 'topic') and not exists (select from ${consentChanges}
  where ${consentChanges.projectId} = ${emails.projectId}
    and ${consentChanges.contactId} = ${emails.contactId}
    and ${consentChanges.emailId} = ${emails.id} and ${consentChanges.origin} = 'oneClick'))`;

/** Once for each email: a repeated event leaves those alone who have subscribed again. */
async function unsubscribe(
  { db, projectId }: { db: Database; projectId: string },
  emailId: string,
): Promise<void> {
  const [email] = await db
    .select({ id: emails.id })
    .from(emails)
    .where(and(byId(emails, projectId, emailId), or(isNull(emails.unsubscribedAt), leftOnlyTopic)));
  if (email) await unsubscribeByToken(db, recipientToken(emailId));
}
