import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { campaigns, emailQueue, emails, messages } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { Context } from "@/lib/ground/context";
import { decodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { createList } from "@/lib/domain/lists/lists";
import { listInput } from "@/lib/domain/lists/schema";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { recipientToken } from "@/lib/mail/tracking/tokens";

export const makeList = (ctx: Context, more: Record<string, unknown> = {}) =>
  createList(ctx, listInput.parse({ name: "News", fromEmail: "news@sandbox.test", ...more }));

export const join = (ctx: Context, listId: string, email: string) =>
  addSubscriber(ctx, listId, { email, source: "api" });

/**
 * An email of a campaign (to a list, or to everybody) that its recipient has received, or that waits to be
 * sent; ids are uuids.
 */
export async function campaignMail(
  db: Database,
  ctx: Context,
  mail: { contactId: string; email: string; listId?: string; html?: string; waits?: boolean },
): Promise<{ emailId: string; campaignId: string; token: string }> {
  const { projectId } = ctx;
  const content = { fromEmail: "news@sandbox.test", subject: "Hello", html: mail.html ?? "<p>Hi" };
  const [campaignId, messageId, emailId] = [newUnownedId(), newUnownedId(), newUnownedId()];
  await db.insert(campaigns).values({
    ...{ id: campaignId, projectId, name: "Issue", status: mail.waits ? "SENDING" : "SENT" },
    ...{ ...content, listId: mail.listId ? decodeId("list", mail.listId) : null },
  });
  await db.insert(messages).values({ id: messageId, projectId, campaignId, ...content });
  await db.insert(emails).values({
    ...{ id: emailId, projectId, messageId, campaignId, source: "CAMPAIGN" },
    contactId: decodeId("contact", mail.contactId),
    recipient: mail.email,
    ...(mail.waits
      ? { status: "PENDING" as const }
      : { status: "DELIVERED" as const, sentAt: now, deliveredAt: now }),
  });
  if (mail.waits)
    await db.insert(emailQueue).values({ emailId, projectId, campaignId, dueAt: now });
  return { emailId, campaignId, token: recipientToken(emailId) };
}

const tables = [
  "contacts",
  "subscribers",
  "emails",
  "email_events",
  "hourly_figures",
  "webhook_deliveries",
  "suppressions",
] as const;

/** Every row that could show that something happened in the project, as text. */
export async function snapshot(db: Database, projectId: string): Promise<string> {
  const rows = await Promise.all(
    tables.map((table) =>
      db.execute(
        sql`select to_jsonb(t) as row from ${sql.identifier(table)} t
          where project_id = ${projectId} order by to_jsonb(t)::text`,
      ),
    ),
  );
  return JSON.stringify(rows.map((found, index) => [tables[index], ...found]));
}
