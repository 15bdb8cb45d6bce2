import { changedBy } from "@/lib/domain/contacts/consent-changes";
import { eq } from "drizzle-orm";
import { messages, templates } from "@/db/schema";
import { retryConflicts } from "@/db/errors";
import { requireRole, type Context } from "@/lib/ground/context";
import { acceptUnits } from "@/lib/domain/emails/accept";
import type { SendAnswer } from "@/lib/domain/emails/send-schema";
import { testMessage } from "@/lib/domain/emails/test-message";
import { nameOf } from "@/lib/domain/ab-tests/result";
import { variantsOf } from "@/lib/domain/ab-tests/settings";
import { invalid } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { announce } from "@/lib/ground/queue/announce";
import { findCampaignRow } from "./read";
import { faulty, missingFields, type CampaignRow } from "./readiness";
import type { CampaignTest } from "./action-schema";

/** What inboxes show before the subject of a test. */
const markOf = ({ abTest }: CampaignRow, index: number) =>
  abTest ? `[Test ${nameOf(1 + index)}] ` : "[Test] ";

/**
 * Sends the campaign as it is now, with an A/B test each variant of it, to up to five people, whoever they are:
 * real mail with its footer and headers, each with the recipient's data if they are a contact. It does not count in
 * the campaign's audience or figures, and its links are not tracked. Throws NOT_FOUND, VALIDATION_ERROR
 * (incomplete), DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED. Needs editor.
 */
export async function testCampaign(
  ctx: Context,
  id: string,
  input: CampaignTest,
): Promise<SendAnswer> {
  requireRole(ctx, "editor");
  const row = await findCampaignRow(ctx.db, ctx, id);
  const fault = faulty(missingFields(row));
  if (fault) throw fault;
  const contents = variantsOf({ ...row, ...(await contentOf(ctx, row)) });
  const unit = {
    projectId: ctx.projectId,
    testMode: ctx.testMode,
    by: changedBy(ctx),
    messages: contents.map(({ subject, fromName, html, text }, index) =>
      testMessage(input.to, {
        from: { email: row.fromEmail, name: fromName },
        subject: markOf(row, index) + subject,
        html,
        text,
        liquid: true,
        templateUuid: row.templateId,
        replyTo: row.replyTo,
      }),
    ),
  };
  const accepted = await retryConflicts(() =>
    ctx.db.transaction(async (tx) => {
      const [result] = await acceptUnits(tx, [unit]);
      if (!result) throw new Error("Accepting lost its unit.");
      if (result instanceof Error) throw result;
      // Before a worker sees it, so that the mail is made as a campaign's.
      for (const [index, { previewText }] of contents.entries()) {
        await tx
          .update(messages)
          .set({ campaignId: row.id, previewText: previewText || null, utm: row.utm })
          .where(eq(messages.id, result.messageIds[index] ?? ""));
      }
      return result;
    }),
  );
  announce(ctx.db, "emails_due");
  return {
    success: true,
    data: {
      emails: accepted.emails.map((email) => ({
        contact: { id: encodeId("contact", email.contactId), email: email.contactEmail },
        email: encodeId("email", email.emailId),
      })),
      timestamp: accepted.acceptedAt.toISOString(),
    },
  };
}

async function contentOf(
  ctx: Context,
  row: CampaignRow,
): Promise<{ html: string | null; text: string | null }> {
  if (row.templateId === null) return { html: row.html, text: row.text };
  const [template] = await ctx.db
    .select({ projectId: templates.projectId, body: templates.body })
    .from(templates)
    .where(eq(templates.id, row.templateId));
  if (template?.projectId !== ctx.projectId) {
    throw invalid("templateId", "names a template that no longer exists");
  }
  return { html: template.body, text: null };
}
