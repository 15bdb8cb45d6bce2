import { and, asc, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { campaigns, presences, templateDrafts, templates, users } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { presenceSeconds, type OthersPresent, type PresenceInput } from "./schema";

/** Somebody who has not said so for as long has left. Browsers let a tab in the background speak once a minute. */
const goneSeconds = 60 + presenceSeconds;
const mostNamed = 20;
/** Of one person on one thing. Whoever makes up more of them has the newest alone. */
const mostTabs = 10;

const things = { template: templates, campaign: campaigns };

/** The uuid of a thing of this project. Throws NOT_FOUND. */
async function findThing(ctx: Context, kind: keyof typeof things, id: string): Promise<string> {
  const uuid = decodeId(kind, id);
  if (!uuid) throw notFound();
  const table = things[kind];
  const isOurs = and(eq(table.projectId, ctx.projectId), eq(table.id, uuid));
  if ((await ctx.db.$count(table, isOurs)) === 0) throw notFound();
  return uuid;
}

async function keepPresence(
  { db, projectId }: Context,
  { thingId, userId, tab }: Omit<typeof presences.$inferInsert, "projectId">,
): Promise<void> {
  await db
    .insert(presences)
    .values({ projectId, thingId, userId, tab })
    .onConflictDoUpdate({
      target: [presences.thingId, presences.userId, presences.tab],
      set: { seenAt: now },
    });
  const own = and(eq(presences.thingId, thingId), eq(presences.userId, userId));
  const beyond = db
    .select({ tab: presences.tab })
    .from(presences)
    .where(own)
    .orderBy(desc(presences.seenAt), asc(presences.tab))
    .offset(mostTabs)
    .for("update", { skipLocked: true });
  await db.delete(presences).where(and(own, inArray(presences.tab, beyond)));
}

/** Who else has changed the template and not saved it, whether or not they have it open. */
async function unsavedBy({ db }: Context, templateId: string, userId: string | null) {
  const rows = await db
    .select({ name: users.name, email: users.email })
    .from(templateDrafts)
    .innerJoin(users, eq(users.id, templateDrafts.userId))
    .where(
      and(
        eq(templateDrafts.templateId, templateId),
        userId ? ne(templateDrafts.userId, userId) : undefined,
      ),
    )
    .orderBy(desc(templateDrafts.updatedAt))
    .limit(mostNamed);
  return rows.map(({ name, email }) => name || email);
}

/**
 * Says that the acting person has a template or campaign open in an editor, and answers who else has. Programs are
 * told, but are nobody. Throws NOT_FOUND.
 */
export async function tellPresence(
  ctx: Context,
  kind: keyof typeof things,
  id: string,
  { tab }: PresenceInput,
): Promise<OthersPresent> {
  requireRole(ctx, "viewer");
  const thingId = await findThing(ctx, kind, id);
  const userId = ctx.actor.type === "user" ? ctx.actor.id : null;
  if (userId) await keepPresence(ctx, { thingId, userId, tab });
  const rows = await ctx.db
    .selectDistinct({ id: users.id, name: users.name, email: users.email })
    .from(presences)
    .innerJoin(users, eq(users.id, presences.userId))
    .where(
      and(
        eq(presences.thingId, thingId),
        sql`${presences.seenAt} > app_now() - make_interval(secs => ${goneSeconds})`,
        userId ? or(ne(presences.userId, userId), ne(presences.tab, tab)) : undefined,
      ),
    )
    .orderBy(asc(users.name), asc(users.email))
    .limit(mostNamed);
  const unsaved = kind === "template" ? await unsavedBy(ctx, thingId, userId) : [];
  return {
    ...(unsaved.length > 0 ? { unsaved } : {}),
    others: rows.map((row) => ({ name: row.name || row.email, isYou: row.id === userId })),
  };
}
