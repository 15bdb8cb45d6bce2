import { inArray } from "drizzle-orm";
import { messages } from "@/db/schema";
import type { VariantContent } from "@/lib/domain/ab-tests/settings";
import { requireRole, type Context } from "@/lib/ground/context";
import { mailsOf } from "./mail";
import { findCampaignRow } from "./read";

/**
 * What a campaign says, variant by variant, with its placeholders: what was recorded when it began, whatever has
 * become of its template since; before that, what it would say now. Throws NOT_FOUND. Needs viewer.
 */
export async function getCampaignMails(ctx: Context, id: string): Promise<VariantContent[]> {
  requireRole(ctx, "viewer");
  const row = await findCampaignRow(ctx.db, ctx, id);
  const ids = row.variantMessageIds ?? (row.messageId === null ? [] : [row.messageId]);
  if (ids.length > 0) {
    const stored = await ctx.db
      .select({
        id: messages.id,
        subject: messages.subject,
        previewText: messages.previewText,
        fromName: messages.fromName,
        html: messages.html,
        text: messages.text,
      })
      .from(messages)
      .where(inArray(messages.id, ids));
    const mails = ids.flatMap((wanted) => {
      const message = stored.find((candidate) => candidate.id === wanted);
      return message ? [{ ...message, previewText: message.previewText ?? "" }] : [];
    });
    // For content that the project no longer keeps, show what the campaign says.
    if (mails.length === ids.length) return mails.map(({ id: _id, ...content }) => content);
  }
  return (await mailsOf(ctx.db, row)).map(({ content }) => content);
}
