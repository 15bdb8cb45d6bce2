import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { memberships, projects, users } from "@/db/schema";
import { systemContext, type Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { Fault } from "@/bin/start/fault";

/** The project that an operator means: by id or name, or the only one there is. Throws a Fault. */
export async function contextOf(db: Database, reference: string | undefined): Promise<Context> {
  const columns = { id: projects.id, name: projects.name };
  const uuid = reference && decodeId("project", reference);
  const matching = await db
    .select(columns)
    .from(projects)
    .where(
      reference === undefined
        ? undefined
        : uuid
          ? eq(projects.id, uuid)
          : eq(projects.name, reference),
    )
    .orderBy(asc(projects.id))
    .limit(20);
  const [only, ...others] = matching;
  if (!only) {
    throw new Fault(
      reference === undefined
        ? "There is no project yet: create one with `lettermill bootstrap`."
        : `There is no project ${reference}.`,
    );
  }
  if (others.length > 0) {
    const choice = matching
      .map(({ id, name }) => `${encodeId("project", id)} (${name})`)
      .join(", ");
    throw new Fault(`Which project? Pass --project with one of: ${choice}.`);
  }
  return systemContext(db, only.id);
}

/** The member of the project with this address. Throws a Fault. */
export async function memberOf(ctx: Context, email: string): Promise<{ userId: string }> {
  const [member] = await ctx.db
    .select({ userId: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.projectId, ctx.projectId),
        sql`lower(${users.email}) = lower(${email.trim()})`,
      ),
    );
  if (!member) {
    throw new Fault(
      `${email} is not a member of that project: \`lettermill user invite\` adds one.`,
    );
  }
  return member;
}

const highestLimit = 2_000_000_000;

/** Emails a month as an operator types them; null: `none`. Throws a Fault. */
export function monthlyLimit(text: string): number | null {
  if (text === "none") return null;
  const emails = Number(text);
  if (Number.isInteger(emails) && emails >= 0 && emails <= highestLimit && text.trim() !== "") {
    return emails;
  }
  throw new Fault(`${text} is neither a whole number of emails up to 2,000,000,000 nor "none".`);
}
