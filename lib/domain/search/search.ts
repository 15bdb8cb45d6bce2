import { sql, type SQL } from "drizzle-orm";
import { listContacts } from "@/lib/domain/contacts/contacts";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { listEmails } from "@/lib/domain/emails/read";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { foundKinds, type FindAnswer, type FindQuery, type Found } from "./schema";

const mostOfAKind = 5;
/** Trigrams need three characters; with fewer, people and mail would be read through. */
const leastForMany = 3;

const namedThings = [
  { kind: "campaign", table: "campaigns" },
  { kind: "template", table: "templates" },
  { kind: "segment", table: "segments" },
  { kind: "domain", table: "domains" },
] as const;

interface NamedRow extends Record<string, unknown> {
  kind: (typeof namedThings)[number]["kind"];
  id: string;
  name: string;
}

/** Campaigns, templates, segments and domains that fulfil a condition, the newest of each. */
async function findNamed(ctx: Context, condition: SQL): Promise<Found[]> {
  const parts = namedThings.map(
    ({ kind, table }) => sql`(
      select ${kind} as kind, id, name from ${sql.identifier(table)}
      where project_id = ${ctx.projectId} and ${condition}
      order by id desc limit ${mostOfAKind})`,
  );
  const rows = await ctx.db.execute<NamedRow>(sql.join(parts, sql` union all `));
  return rows.map(({ kind, id, name }) => ({
    kind,
    id: encodeId(kind, id),
    title: name,
    hint: "",
  }));
}

const subjectOf = (subject: string) => subject || "(no subject)";

async function findById(ctx: Context, text: string): Promise<Found[] | null> {
  const kind = foundKinds.find((one) => decodeId(one, text) !== null);
  const uuid = kind && decodeId(kind, text);
  if (!kind || !uuid) return null;
  if (kind === "contact") {
    const [row] = await ctx.db.execute<{ email: string }>(sql`
      select email from contacts where project_id = ${ctx.projectId} and id = ${uuid}`);
    return row ? [{ kind, id: encodeId(kind, uuid), title: row.email, hint: "" }] : [];
  }
  if (kind === "email") {
    const [row] = await ctx.db.execute<{ subject: string; recipient: string | null }>(sql`
      select coalesce(e.subject, m.subject) as subject, e.recipient
      from emails e join messages m on m.id = e.message_id
      where e.project_id = ${ctx.projectId} and e.id = ${uuid}`);
    if (!row) return [];
    const title = subjectOf(row.subject);
    return [{ kind, id: encodeId(kind, uuid), title, hint: row.recipient ?? "" }];
  }
  return (await findNamed(ctx, sql`id = ${uuid}`)).filter((one) => one.kind === kind);
}

async function findContacts(ctx: Context, search: string): Promise<Found[]> {
  const { data } = await listContacts(ctx, { search, limit: mostOfAKind });
  return data.map(({ id, email, firstName, lastName }) => ({
    kind: "contact",
    id,
    title: email,
    hint: `${firstName} ${lastName}`.trim(),
  }));
}

async function findEmails(ctx: Context, search: string): Promise<Found[]> {
  const { data } = await listEmails(ctx, { search, limit: mostOfAKind });
  return data.map(({ id, subject, contact }) => ({
    kind: "email",
    id,
    title: subjectOf(subject),
    hint: contact?.email ?? "",
  }));
}

/** A few things of each kind by a part of their name or address, or the one with this id. */
export async function find(ctx: Context, { text }: FindQuery): Promise<FindAnswer> {
  requireRole(ctx, "viewer");
  const one = await findById(ctx, text);
  if (one) return { data: one };
  const many = text.length >= leastForMany;
  const found = await Promise.all([
    many ? findContacts(ctx, text) : [],
    findNamed(ctx, sql`name ilike ${containing(text)}`),
    many ? findEmails(ctx, text) : [],
  ]);
  return { data: found.flat() };
}
