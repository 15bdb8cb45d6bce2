import { eq, ilike, sql, type SQL } from "drizzle-orm";
import { campaigns, contacts, domains, emails, messages, segments, templates } from "@/db/schema";
import { listContacts } from "@/lib/domain/contacts/contacts";
import { byId } from "@/lib/ground/by-id";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { listEmails } from "@/lib/domain/emails/read";
import type { EmailQuery } from "@/lib/domain/emails/schema";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { searchHitKinds, type SearchAnswer, type SearchQuery, type SearchHit } from "./schema";

const mostOfAKind = 5;
/** Trigrams need three characters; with fewer, all people and mail would have to be scanned. */
const leastForMany = 3;

/** Also what providers call an email; whatever people type of a name is shorter, or has blanks. */
const mayBeMessageId = (text: string) => text.length >= 10 && !/\s/.test(text);

const namedThings = [
  { kind: "campaign", table: campaigns },
  { kind: "template", table: templates },
  { kind: "segment", table: segments },
  { kind: "domain", table: domains },
] as const;

interface NamedRow extends Record<string, unknown> {
  kind: (typeof namedThings)[number]["kind"];
  id: string;
  name: string;
}

type NamedTable = (typeof namedThings)[number]["table"];

/** Campaigns, templates, segments and domains that fulfil a condition, the newest of each. */
async function findNamed(
  ctx: Context,
  condition: (table: NamedTable) => SQL,
): Promise<SearchHit[]> {
  const parts = namedThings.map(
    ({ kind, table }) => sql`(
      select ${kind} as kind, ${table.id}, ${table.name} from ${table}
      where ${table.projectId} = ${ctx.projectId} and ${condition(table)}
      order by ${table.id} desc limit ${mostOfAKind})`,
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

async function findById(ctx: Context, text: string): Promise<SearchHit[] | null> {
  const kind = searchHitKinds.find((candidate) => decodeId(candidate, text) !== null);
  const uuid = kind && decodeId(kind, text);
  if (!kind || !uuid) return null;
  if (kind === "contact") {
    const [row] = await ctx.db
      .select({ email: contacts.email })
      .from(contacts)
      .where(byId(contacts, ctx.projectId, uuid));
    return row ? [{ kind, id: encodeId(kind, uuid), title: row.email, hint: "" }] : [];
  }
  if (kind === "email") {
    const [row] = await ctx.db
      .select({
        subject: sql<string>`coalesce(${emails.subject}, ${messages.subject})`,
        recipient: emails.recipient,
      })
      .from(emails)
      .innerJoin(messages, eq(messages.id, emails.messageId))
      .where(byId(emails, ctx.projectId, uuid));
    if (!row) return [];
    const title = subjectOf(row.subject);
    return [{ kind, id: encodeId(kind, uuid), title, hint: row.recipient ?? "" }];
  }
  return (await findNamed(ctx, (table) => eq(table.id, uuid))).filter((hit) => hit.kind === kind);
}

async function findContacts(ctx: Context, search: string): Promise<SearchHit[]> {
  const { data } = await listContacts(ctx, { search, limit: mostOfAKind });
  return data.map(({ id, email, firstName, lastName }) => ({
    kind: "contact",
    id,
    title: email,
    hint: `${firstName} ${lastName}`.trim(),
  }));
}

async function findEmails(
  ctx: Context,
  filter: Pick<EmailQuery, "search" | "messageId">,
): Promise<SearchHit[]> {
  const { data } = await listEmails(ctx, { ...filter, limit: mostOfAKind });
  return data.map(({ id, subject, contact }) => ({
    kind: "email",
    id,
    title: subjectOf(subject),
    hint: contact?.email ?? "",
  }));
}

/** A few things of each kind by part of their name or address, the one with this id, or the mail of a Message-ID. */
export async function search(ctx: Context, { text }: SearchQuery): Promise<SearchAnswer> {
  requireRole(ctx, "viewer");
  const byId = await findById(ctx, text);
  if (byId) return { data: byId };
  const many = text.length >= leastForMany;
  const [named, ...hits] = await Promise.all([
    mayBeMessageId(text) ? findEmails(ctx, { messageId: text }) : [],
    many ? findContacts(ctx, text) : [],
    findNamed(ctx, (table) => ilike(table.name, containing(text))),
    many ? findEmails(ctx, { search: text }) : [],
  ]);
  return { data: named.length > 0 ? named : hits.flat() };
}
