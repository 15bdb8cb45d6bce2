import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { columns, insertSelected } from "@/db/names";
import { campaigns, campaignVersions } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { authorOf } from "@/lib/ground/author";
import type { Context } from "@/lib/ground/context";
import { laterThan } from "@/lib/ground/updates/stale";
import type { CampaignRow } from "./readiness";
import { mostVersions } from "./version-schema";

/** What a campaign says, and what its versions hold. */
const said = [
  ...(["subject", "previewText", "fromEmail", "fromName", "replyTo"] as const),
  ...(["html", "design", "text", "templateId", "abTest"] as const),
];
export type Said = Pick<CampaignRow, (typeof said)[number]>;

/** Nothing has been written for this long: what was there then may be wanted back. */
const pauseMinutes = 10;

/** When a campaign was last written to; those from before versions were kept know only of any change. */
export const writtenAt =
  sql<Date>`coalesce(${campaigns.contentAt}, ${campaigns.updatedAt})`.mapWith(campaigns.updatedAt);

const isBlank = ({ subject, html, text, templateId, abTest }: Said) =>
  subject === "" && !html && !text && templateId === null && abTest === null;

/**
 * Keeps what a locked campaign says if somebody else wrote it, if it was written before a pause or is settled, or
 * whenever `always`; the oldest versions go. The rows stay in the database: nothing of what it says is sent there.
 * Resolves to whether it was kept.
 */
async function keepVersion(
  tx: Transaction,
  ctx: Context,
  before: CampaignRow,
  always: boolean,
): Promise<boolean> {
  const { authorType, authorId } = authorOf(ctx);
  const kept = await tx.execute(sql`
    with kept as (
      ${insertSelected(campaignVersions, {
        ...{ projectId: sql`${campaigns.projectId}`, campaignId: sql`${campaigns.id}` },
        version: sql`${campaigns.contentVersion}`,
        ...(Object.fromEntries(said.map((key) => [key, sql`${campaigns[key]}`])) as object),
        ...{ authorType: sql`${campaigns.authorType}`, authorId: sql`${campaigns.authorId}` },
        savedAt: writtenAt,
      })}
      from ${campaigns} where ${eq(campaigns.id, before.id)} and (
        ${always} or ${campaigns.contentSettled}
        or ${campaigns.authorType} is distinct from ${authorType}::text
        or ${campaigns.authorId} is distinct from ${authorId}::uuid
        or ${writtenAt} < app_now() - make_interval(mins => ${pauseMinutes})
      )
      returning ${columns(campaignVersions.version)} as version
    ), gone as (
      delete from ${campaignVersions}
      where ${eq(campaignVersions.projectId, before.projectId)}
        and ${eq(campaignVersions.campaignId, before.id)}
        and ${campaignVersions.version} <= (select kept.version from kept) - ${mostVersions}
    )
    select from kept`);
  return kept.length > 0;
}

/** What a new campaign's row says of its first version. */
export const written = (ctx: Context) => ({ contentAt: now, ...authorOf(ctx) });

/**
 * What a locked campaign's row says of its version once `changes` are made; nothing when these change nothing of what
 * it says. Keeps the version before where it may be wanted back. With `restores`, both that and the new one are kept.
 */
export async function versionAfter(
  tx: Transaction,
  ctx: Context,
  { before, changes, restores }: { before: CampaignRow; changes: Partial<Said>; restores: boolean },
) {
  const isChanged = said.some(
    (key) => changes[key] !== undefined && !isDeepStrictEqual(changes[key], before[key]),
  );
  if (!isChanged) return {};
  const isWorthIt = restores || !isBlank(before);
  const isKept = isWorthIt && (await keepVersion(tx, ctx, before, restores));
  return {
    contentVersion: before.contentVersion + (isKept ? 1 : 0),
    contentAt: laterThan(campaigns.updatedAt),
    contentSettled: restores,
    ...authorOf(ctx),
  };
}
