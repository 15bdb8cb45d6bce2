import { sql } from "drizzle-orm";
import { campaigns, emailEvents, emails, messages, templates } from "@/db/schema";
import { providerOf } from "@/lib/domain/receivers/providers";
import { receiverOf } from "@/lib/domain/receivers/receiver-of";
import { byIds } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import type { EmailDetails } from "./log-schema";

interface Row extends Record<string, unknown> {
  id: string;
  from_email: string;
  campaign: string | null;
  template: string | null;
  receiver: string | null;
  last_at: string;
}

/** As many as a page of the log has. */
const most = 100;

/**
 * What the log can show of the emails with these ids besides their summaries, each looked up by its key; those that are
 * gone are left out. Once events were deleted by age, the last thing is the last that happened for the first time.
 * Throws VALIDATION_ERROR for more than 100, and for what is no id of an email.
 */
export async function listEmailDetails(
  ctx: Context,
  ids: readonly string[],
): Promise<EmailDetails[]> {
  requireRole(ctx, "viewer");
  if (ids.length > most) throw invalid("ids", `names more than ${most} emails`);
  const uuids = ids.map((id) => {
    const uuid = decodeId("email", id);
    if (!uuid) throw invalid("ids", "is not a comma-separated list of ids of emails");
    return uuid;
  });
  if (uuids.length === 0) return [];
  const rows = await ctx.db.execute<Row>(sql`
    select ${emails.id}, ${messages.fromEmail}, ${receiverOf(sql`${emails.recipient}`)} as receiver,
      (select ${campaigns.name} from ${campaigns}
        where ${campaigns.id} = ${emails.campaignId}) as campaign,
      (select ${templates.name} from ${templates}
        where ${templates.id} = ${messages.templateId}) as template,
      greatest(${emails.createdAt}, ${emails.sentAt}, ${emails.deliveredAt}, ${emails.openedAt},
        ${emails.clickedAt}, ${emails.bouncedAt}, ${emails.complainedAt}, ${emails.unsubscribedAt},
        (select max(${emailEvents.createdAt}) from ${emailEvents}
        where ${emailEvents.emailId} = ${emails.id})) as last_at
    from ${emails} join ${messages} on ${messages.id} = ${emails.messageId}
    where ${byIds(emails, ctx.projectId, uuids)}`);
  return rows.map((row) => ({
    id: encodeId("email", row.id),
    from: row.from_email,
    campaign: row.campaign,
    template: row.template,
    provider: row.receiver && providerOf(row.receiver),
    lastEventAt: new Date(row.last_at).toISOString(),
  }));
}
