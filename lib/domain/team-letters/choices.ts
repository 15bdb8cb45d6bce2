import { and, eq, sql, type SQL } from "drizzle-orm";
import { teamLetterKinds, type TeamLetterKind } from "@/db/enums";
import { memberships } from "@/db/schema";
import { askingMember } from "@/lib/domain/users/prove";
import type { Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import type { TeamLetterChoices, TeamLetterUpdate } from "./schema";

/**
 * What owners are told of unless they decline: something has stopped. The rest is sent on request.
 */
const usualForOwners: ReadonlySet<TeamLetterKind> = new Set([
  "campaignStopped",
  "domainFailed",
  "mailReplaced",
  "sendingHeld",
  "webhookDisabled",
  "workFailed",
]);

/** SQL: whether the member of a row of memberships gets letters of the kind. */
export function wantsLetters(kind: TeamLetterKind): SQL {
  const usual = usualForOwners.has(kind) ? sql`${memberships.role} = 'owner'` : sql`false`;
  return sql`coalesce((${memberships.letters} ->> ${kind})::boolean, ${usual})`;
}

/** The member asking. Throws NOT_ALLOWED for keys and tokens: they stand for no person. */
const ownMembership = (ctx: Context) =>
  and(eq(memberships.projectId, ctx.projectId), eq(memberships.userId, askingMember(ctx)));

const shownColumns = Object.fromEntries(
  teamLetterKinds.map((kind) => [kind, wantsLetters(kind) as SQL<boolean>]),
) as Record<TeamLetterKind, SQL<boolean>>;

/** Which mails about the project the asking member gets. Throws NOT_ALLOWED. */
export async function getTeamLetterChoices(ctx: Context): Promise<TeamLetterChoices> {
  const [choices] = await ctx.db.select(shownColumns).from(memberships).where(ownMembership(ctx));
  if (!choices) throw notFound();
  return choices;
}

/** Changes which mails about the project the asking member gets. Throws NOT_ALLOWED. */
export async function updateTeamLetterChoices(
  ctx: Context,
  update: TeamLetterUpdate,
): Promise<TeamLetterChoices> {
  const [choices] = await ctx.db
    .update(memberships)
    .set({ letters: sql`${memberships.letters} || ${JSON.stringify(update)}::jsonb` })
    .where(ownMembership(ctx))
    .returning(shownColumns);
  if (!choices) throw notFound();
  return choices;
}
