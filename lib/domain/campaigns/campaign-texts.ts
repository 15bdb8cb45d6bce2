import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { CampaignStatus } from "@/db/enums";
import { campaigns, messages, templates } from "@/db/schema";
import { phaseOf } from "@/lib/domain/ab-tests/result";
import type { AbTestPhase } from "@/lib/domain/ab-tests/schema";
import { bySize } from "@/lib/ground/by-size";
import { requireRole, type Context } from "@/lib/ground/context";
import { isAppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { renderText } from "@/lib/mail/content/rendering";

/** A campaign with the text of its mail. Times are ISO 8601. */
export interface CampaignText {
  id: string;
  name: string;
  status: CampaignStatus;
  abTestPhase: AbTestPhase | null;
  subject: string;
  /** The plain part: as given, otherwise the text of the HTML. Liquid stays as it is. */
  plain: string;
  fromEmail: string;
  fromName: string;
  replyTo: string | null;
  /** When it went out or will; null for a draft. */
  deliveryAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Cached by the HTML they were made from. The size counts the characters of both. */
const texts = new LRUCache<string, string>({
  maxSize: 32_000_000,
  sizeCalculation: (plain, html) => html.length + plain.length + 1,
});

interface MailText {
  text: string | null;
  html: string | null;
}

/** Converting the HTML of a page of campaigns takes long enough for the results to be worth caching. */
async function plainOf(ctx: Context, { text, html }: MailText): Promise<string> {
  if (text !== null || html === null) return text ?? "";
  const remembered = texts.get(html);
  if (remembered !== undefined) return remembered;
  // Other requests get their turn between two conversions.
  await new Promise((resolve) => setImmediate(resolve));
  // What takes too much to be read as text would take the whole list with it.
  const plain = await renderText(ctx.projectId, html).catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    return "";
  });
  texts.set(html, plain);
  return plain;
}

// What was frozen at the start takes precedence over what the campaign, or its template, says now.
const text = sql<string | null>`coalesce(${messages.text}, ${campaigns.text})`;
const html = sql<string | null>`coalesce(${messages.html}, ${campaigns.html}, ${templates.body})`;

const heldTemplate = and(
  eq(templates.id, campaigns.templateId),
  eq(templates.projectId, campaigns.projectId),
);

async function readTexts(ctx: Context, ids: readonly string[]) {
  return ctx.db
    .select({
      id: campaigns.id,
      name: campaigns.name,
      status: campaigns.status,
      subject: campaigns.subject,
      fromEmail: campaigns.fromEmail,
      fromName: campaigns.fromName,
      replyTo: campaigns.replyTo,
      text,
      // Where there is a text, nobody needs the HTML.
      html: sql<string | null>`case when ${text} is null then ${html} end`,
      variantMessageIds: campaigns.variantMessageIds,
      winner: campaigns.winner,
      winnerDueAt: campaigns.winnerDueAt,
      startedAt: campaigns.startedAt,
      scheduledAt: campaigns.scheduledAt,
      createdAt: campaigns.createdAt,
      updatedAt: campaigns.updatedAt,
    })
    .from(campaigns)
    .leftJoin(messages, eq(messages.id, campaigns.messageId))
    .leftJoin(templates, heldTemplate)
    .where(and(eq(campaigns.projectId, ctx.projectId), inArray(campaigns.id, [...ids])))
    .orderBy(desc(campaigns.id));
}

async function toCampaignText(
  ctx: Context,
  row: Awaited<ReturnType<typeof readTexts>>[number],
): Promise<CampaignText> {
  const { id, name, status, subject, fromEmail, fromName, replyTo } = row;
  return {
    ...{ name, status, subject, fromEmail, fromName, replyTo },
    id: encodeId("campaign", id),
    abTestPhase: phaseOf(row),
    plain: await plainOf(ctx, row),
    deliveryAt: (row.startedAt ?? row.scheduledAt)?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * A stretch of the campaigns, newest first, each with the text of its mail. A thousand may be asked for, and each may
 * have megabytes, so they are read a few at a time.
 */
export async function listCampaignTexts(
  ctx: Context,
  { limit, offset }: { limit: number; offset: number },
): Promise<AsyncIterable<CampaignText>> {
  requireRole(ctx, "viewer");
  const found = await ctx.db
    .select({
      id: campaigns.id,
      size: sql<number>`coalesce(octet_length(${text}), octet_length(${html}), 0)`,
    })
    .from(campaigns)
    .leftJoin(messages, eq(messages.id, campaigns.messageId))
    .leftJoin(templates, heldTemplate)
    .where(eq(campaigns.projectId, ctx.projectId))
    .orderBy(desc(campaigns.id))
    .limit(limit)
    .offset(offset);
  return (async function* () {
    for (const stretch of bySize(found)) {
      const rows = await readTexts(
        ctx,
        stretch.map(({ id }) => id),
      );
      for (const row of rows) yield await toCampaignText(ctx, row);
    }
  })();
}
