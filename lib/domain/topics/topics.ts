import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { campaigns, topicDepartures, topics } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { lockProject } from "@/lib/ground/project-lock";
import { refuseDuplicate } from "@/lib/ground/updates/duplicates";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import type { Topic, TopicInput, TopicList, TopicUpdate } from "./schema";

/** A project has a few topics: people choose among them on one page. */
const mostTopics = 50;

type Row = typeof topics.$inferSelect & { departures: number };

const departures = sql<number>`(
  select count(*) from ${topicDepartures} where ${topicDepartures.topicId} = ${topics.id})::int`;
const columns = {
  id: topics.id,
  projectId: topics.projectId,
  name: topics.name,
  description: topics.description,
  createdAt: topics.createdAt,
  updatedAt: topics.updatedAt,
  departures,
};

const toTopic = (row: Row): Topic => ({
  id: encodeId("topic", row.id),
  name: row.name,
  description: row.description,
  departures: row.departures,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const sameName = (name: string) =>
  new AppError("CONFLICT", `There is already a topic called ${name} in this project.`);

/** Throws CONFLICT when another topic has the name. */
const withUniqueName = <T>(name: string, write: () => Promise<T>): Promise<T> =>
  refuseDuplicate(write, () => sameName(name));

async function findTopic(executor: Executor, ctx: Context, id: string, lock = false): Promise<Row> {
  const uuid = decodeId("topic", id);
  if (!uuid) throw notFound();
  const query = executor
    .select(columns)
    .from(topics)
    .where(and(eq(topics.projectId, ctx.projectId), eq(topics.id, uuid)));
  const [row] = await (lock ? query.for("update") : query);
  if (!row) throw notFound();
  return row;
}

/** All of the project's topics, by name. */
export async function listTopics(ctx: Context): Promise<TopicList> {
  requireRole(ctx, "viewer");
  const rows = await ctx.db
    .select(columns)
    .from(topics)
    .where(eq(topics.projectId, ctx.projectId))
    .orderBy(sql`lower(${topics.name})`, asc(topics.id));
  return { data: rows.map(toTopic) };
}

/** Throws NOT_FOUND. */
export async function getTopic(ctx: Context, id: string): Promise<Topic> {
  requireRole(ctx, "viewer");
  return toTopic(await findTopic(ctx.db, ctx, id));
}

/** Throws CONFLICT: the name is taken, or there are fifty. Needs editor. */
export async function createTopic(ctx: Context, input: TopicInput): Promise<Topic> {
  requireRole(ctx, "editor");
  return withUniqueName(input.name, () =>
    ctx.db.transaction(async (tx) => {
      await lockProject(tx, ctx.projectId);
      if ((await tx.$count(topics, eq(topics.projectId, ctx.projectId))) >= mostTopics) {
        throw new AppError("CONFLICT", `A project has at most ${mostTopics} topics.`);
      }
      const [row] = await tx
        .insert(topics)
        .values({ id: newId(ctx.projectId), projectId: ctx.projectId, ...input })
        .returning();
      if (!row) throw new Error("An insert returned no row.");
      await audit(tx, ctx, "create.topic", encodeId("topic", row.id), { name: row.name });
      return toTopic({ ...row, departures: 0 });
    }),
  );
}

/** Throws NOT_FOUND; CONFLICT: the name is taken, or it was changed since `basedOn`. Needs editor. */
export async function updateTopic(
  ctx: Context,
  id: string,
  { basedOn, ...changes }: TopicUpdate,
): Promise<Topic> {
  requireRole(ctx, "editor");
  return withUniqueName(changes.name ?? "", () =>
    ctx.db.transaction(async (tx) => {
      const before = await findTopic(tx, ctx, id, true);
      refuseStale(basedOn, before.updatedAt);
      const [row] = await tx
        .update(topics)
        .set({ ...changes, updatedAt: laterThan(topics.updatedAt) })
        .where(eq(topics.id, before.id))
        .returning();
      if (!row) throw notFound();
      await audit(tx, ctx, "update.topic", encodeId("topic", row.id), { name: row.name });
      return toTopic({ ...row, departures: before.departures });
    }),
  );
}

/**
 * Who left it is then forgotten, and campaigns on it would reach them again, so it cannot be deleted while a
 * campaign that has yet to go out carries it. Throws NOT_FOUND, CONFLICT. Needs editor.
 */
export async function deleteTopic(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const { id: uuid, name } = await findTopic(tx, ctx, id, true);
    const [user] = await tx
      .select({ name: campaigns.name })
      .from(campaigns)
      .where(
        and(
          eq(campaigns.projectId, ctx.projectId),
          inArray(campaigns.status, ["SCHEDULED", "SENDING", "PAUSED"]),
          eq(campaigns.topicId, uuid),
        ),
      )
      .limit(1);
    if (user) {
      throw new AppError(
        "CONFLICT",
        `The campaign ${user.name} carries this topic and has yet to go out.`,
      );
    }
    await tx.update(campaigns).set({ topicId: null }).where(eq(campaigns.topicId, uuid));
    await tx.delete(topics).where(eq(topics.id, uuid));
    await audit(tx, ctx, "delete.topic", encodeId("topic", uuid), { name });
  });
}
