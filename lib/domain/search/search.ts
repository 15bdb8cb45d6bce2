import { eq, isNull, sql } from "drizzle-orm";
import {
  apiKeys,
  campaigns,
  contacts,
  domains,
  emails,
  files,
  forms,
  inboundRoutes,
  lists,
  messages,
  segments,
  sendingConnections,
  templates,
  topics,
  webhooks,
} from "@/db/schema";
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

/** In the order in which they are shown; each by what people call it. */
const namedThings = [
  { kind: "campaign", table: campaigns, name: campaigns.name },
  { kind: "template", table: templates, name: templates.name },
  { kind: "list", table: lists, name: lists.name },
  { kind: "segment", table: segments, name: segments.name },
  { kind: "form", table: forms, name: forms.name },
  { kind: "topic", table: topics, name: topics.name },
  { kind: "file", table: files, name: files.path },
  { kind: "domain", table: domains, name: domains.name },
  { kind: "connection", table: sendingConnections, name: sendingConnections.name },
  { kind: "webhook", table: webhooks, name: webhooks.url },
  { kind: "inboundRoute", table: inboundRoutes, name: inboundRoutes.pattern },
  { kind: "apiKey", table: apiKeys, name: apiKeys.name, only: isNull(apiKeys.revokedAt) },
] as const;

interface NamedRow extends Record<string, unknown> {
  kind: (typeof namedThings)[number]["kind"];
  id: string;
  name: string;
}

const onlyOf = (thing: (typeof namedThings)[number]) =>
  "only" in thing ? sql`and ${thing.only}` : sql.empty();

const namedHit = ({ kind, id, name }: NamedRow): SearchHit => ({
  kind,
  id: encodeId(kind, id),
  title: name,
  hint: "",
});

/** What has a name with this part in it, the newest of each kind. Of a kind, so many are looked through at most. */
const mostLookedThrough = 20_000;

async function findNamed(ctx: Context, part: string): Promise<SearchHit[]> {
  const parts = namedThings.map((thing) => {
    const { kind, table, name } = thing;
    return sql`(
      select ${kind} as kind, newest.id, newest.name from (
        select ${table.id} as id, ${name} as name from ${table}
        where ${table.projectId} = ${ctx.projectId} ${onlyOf(thing)}
        order by ${table.id} desc limit ${mostLookedThrough}
      ) newest where newest.name ilike ${containing(part)}
      order by newest.id desc limit ${mostOfAKind})`;
  });
  const rows = await ctx.db.execute<NamedRow>(sql.join(parts, sql` union all `));
  return rows.map(namedHit);
}

async function findNamedById(
  ctx: Context,
  kind: NamedRow["kind"],
  uuid: string,
): Promise<SearchHit[]> {
  const parts = namedThings
    .filter((one) => one.kind === kind)
    .map((thing) => {
      const { table, name } = thing;
      return sql`
        select ${kind} as kind, ${table.id} as id, ${name} as name from ${table}
        where ${byId(table, ctx.projectId, uuid)} ${onlyOf(thing)}`;
    });
  const rows = await ctx.db.execute<NamedRow>(sql.join(parts, sql` union all `));
  return rows.map(namedHit);
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
  return findNamedById(ctx, kind, uuid);
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
    findNamed(ctx, text),
    many ? findEmails(ctx, { search: text }) : [],
  ]);
  return { data: named.length > 0 ? named : hits.flat() };
}
