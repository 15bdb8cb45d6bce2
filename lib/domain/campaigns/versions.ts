import { and, desc, eq, lt, sql } from "drizzle-orm";
import { apiKeys, campaigns, campaignVersions, users } from "@/db/schema";
import { toAbTestSettings } from "@/lib/domain/ab-tests/settings";
import { isAuthor, isAuthorKey } from "@/lib/ground/author";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { updateCampaign } from "./campaigns";
import { writtenAt, type Said } from "./keep-version";
import { campaignUuid, findCampaignRow, owned } from "./read";
import type { Campaign } from "./schema";
import type { CampaignVersion, CampaignVersionEntry } from "./version-schema";

const name = sql<
  string | null
>`coalesce(nullif(${users.name}, ''), ${users.email}, ${apiKeys.name})`;

interface Row {
  version: number;
  subject: string;
  savedAt: Date;
  authorType: "user" | "apiKey" | null;
  name: string | null;
}

const toEntry =
  (isCurrent: boolean) =>
  (row: Row): CampaignVersionEntry => ({
    version: row.version,
    isCurrent,
    subject: row.subject,
    savedAt: row.savedAt.toISOString(),
    author: row.authorType && { type: row.authorType, name: row.name },
  });

/** What a campaign says and what it said before, newest first, without its content. Throws NOT_FOUND. */
export async function listCampaignVersions(
  ctx: Context,
  id: string,
): Promise<CampaignVersionEntry[]> {
  requireRole(ctx, "viewer");
  const uuid = campaignUuid(id);
  const [current] = await ctx.db
    .select({
      ...{ version: campaigns.contentVersion, subject: campaigns.subject, savedAt: writtenAt },
      ...{ authorType: campaigns.authorType, name },
    })
    .from(campaigns)
    .leftJoin(users, isAuthor(campaigns))
    .leftJoin(apiKeys, isAuthorKey(campaigns))
    .where(owned(ctx, uuid));
  if (!current) throw notFound();
  const { version, subject, savedAt, authorType } = campaignVersions;
  const older = await ctx.db
    .select({ version, subject, savedAt, authorType, name })
    .from(campaignVersions)
    .leftJoin(users, isAuthor(campaignVersions))
    .leftJoin(apiKeys, isAuthorKey(campaignVersions))
    .where(
      and(
        eq(campaignVersions.projectId, ctx.projectId),
        eq(campaignVersions.campaignId, uuid),
        // Somebody may have gone on writing since the first of both reads.
        lt(version, current.version),
      ),
    )
    .orderBy(desc(version));
  return [toEntry(true)(current), ...older.map(toEntry(false))];
}

function toVersion(said: Said, version: number, savedAt: Date): CampaignVersion {
  return {
    version,
    savedAt: savedAt.toISOString(),
    subject: said.subject,
    previewText: said.previewText,
    from: said.fromEmail,
    fromName: said.fromName,
    replyTo: said.replyTo,
    body: said.html,
    design: said.design as Record<string, unknown> | null,
    text: said.text,
    templateId: said.templateId && encodeId("template", said.templateId),
    abTest: said.abTest && toAbTestSettings(said.abTest),
  };
}

/** As a path has it; NaN for what cannot be a version. */
const versionIn = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : NaN);

/** What a campaign said in one of its versions, the present one included. Throws NOT_FOUND. */
export async function getCampaignVersion(
  ctx: Context,
  id: string,
  version: string,
): Promise<CampaignVersion> {
  requireRole(ctx, "viewer");
  const wanted = versionIn(version);
  const current = await findCampaignRow(ctx.db, ctx, id);
  if (wanted === current.contentVersion) {
    return toVersion(current, wanted, current.contentAt ?? current.updatedAt);
  }
  if (!(wanted < current.contentVersion)) throw notFound();
  const [older] = await ctx.db
    .select()
    .from(campaignVersions)
    .where(
      and(
        eq(campaignVersions.projectId, ctx.projectId),
        eq(campaignVersions.campaignId, current.id),
        eq(campaignVersions.version, wanted),
      ),
    );
  if (!older) throw notFound();
  return toVersion(older, wanted, older.savedAt);
}

/**
 * Has a draft or scheduled campaign say again what it said in a version. What it said until now is kept, and so is
 * what was restored. Throws NOT_FOUND, also for a template that is gone, and whatever updateCampaign throws. Needs
 * editor.
 */
export async function restoreCampaignVersion(
  ctx: Context,
  id: string,
  version: string,
  basedOn?: string,
): Promise<Campaign> {
  requireRole(ctx, "editor");
  const { version: _, savedAt: _at, from, ...said } = await getCampaignVersion(ctx, id, version);
  const update = { ...said, from: from || null, basedOn, incomplete: true };
  return updateCampaign(ctx, id, update, { restores: true });
}
