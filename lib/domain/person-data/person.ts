import { and, asc, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import {
  contacts,
  lists,
  projects,
  subscribers,
  suppressions,
  topicDepartures,
  topics,
} from "@/db/schema";
import { allRecordsOf, type RecordsOf } from "@/lib/domain/contact-states/merged";
import { byId } from "@/lib/ground/by-id";
import { languageIn, textsFor, type Texts } from "@/lib/ground/texts/texts";
import { escapeHtml } from "@/lib/ground/escape-html";
import { encodeId } from "@/lib/ground/ids/ids";
import { isoTime } from "@/lib/ground/iso-time";
import { zipOf } from "./archive";
import { datasetsOf, type Person } from "./datasets";

async function readPerson(db: Executor, { projectId, contactId }: Omit<Person, "db">) {
  const [[row], memberships, left] = await Promise.all([
    db
      .select({ contact: contacts, project: projects.name, language: projects.language })
      .from(contacts)
      .innerJoin(projects, eq(projects.id, contacts.projectId))
      .where(byId(contacts, projectId, contactId)),
    db
      .select({ name: lists.name, membership: subscribers })
      .from(subscribers)
      .innerJoin(lists, eq(lists.id, subscribers.listId))
      .where(and(eq(subscribers.contactId, contactId), eq(subscribers.projectId, projectId)))
      .orderBy(asc(lists.id)),
    db
      .select({ name: topics.name, leftAt: topicDepartures.createdAt })
      .from(topicDepartures)
      .innerJoin(topics, eq(topics.id, topicDepartures.topicId))
      .where(eq(topicDepartures.contactId, contactId))
      .orderBy(asc(topics.id)),
  ]);
  return row && { ...row, memberships, left };
}
type PersonRecord = NonNullable<Awaited<ReturnType<typeof readPerson>>>;

/** Why no mail goes to addresses of theirs. */
function readSuppressed(db: Executor, projectId: string, { addresses }: RecordsOf) {
  return db
    .select({
      address: suppressions.email,
      reason: suppressions.reason,
      response: suppressions.response,
      since: suppressions.createdAt,
    })
    .from(suppressions)
    .where(
      and(
        eq(suppressions.projectId, projectId),
        sql`lower(${suppressions.email}) = any(array(
          select lower(address) from unnest(${sql.param(addresses)}::text[]) address))`,
      ),
    )
    .orderBy(asc(suppressions.id));
}
type Suppressed = Awaited<ReturnType<typeof readSuppressed>>[number];

/** Everything stored about the person besides mail and consent. */
function recordOf(
  { contact, memberships, left }: PersonRecord,
  { addresses }: RecordsOf,
  suppressed: Suppressed[],
) {
  const { email, firstName, lastName, consent, tags, data, pausedUntil, weekly } = contact;
  return {
    id: encodeId("contact", contact.id),
    ...{ email, firstName, lastName, consent, tags, data },
    // Before they were changed, and of contacts that were merged into this one.
    formerAddresses: addresses.slice(1),
    suppressed: suppressed.map(({ address, reason, response, since }) => ({
      ...{ address, reason, response, since: isoTime(since) },
    })),
    pausedUntil: isoTime(pausedUntil),
    onceAWeekAtMost: weekly,
    createdAt: isoTime(contact.createdAt),
    updatedAt: isoTime(contact.updatedAt),
    lists: memberships.map(({ name, membership }) => ({
      name,
      status: membership.status,
      source: membership.source,
      fields: membership.fields,
      ipAddress: membership.ipAddress,
      createdAt: isoTime(membership.createdAt),
      updatedAt: isoTime(membership.updatedAt),
    })),
    topicsLeft: left.map(({ name, leftAt }) => ({ name, leftAt: isoTime(leftAt) })),
  };
}

const item = (label: string, value: string) =>
  value === "" ? "" : `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`;
const rowsOf = (rows: string[]) => rows.map((row) => `<li>${escapeHtml(row)}</li>`).join("");

const dataFiles = [
  ...(["contact", "emails", "events", "consent", "received", "changes", "notes"] as const),
];

function pageOf({ contact, project, memberships, left }: PersonRecord, texts: Texts): string {
  const { text, date, language, dir } = texts;
  const title = text("data.title", { project, email: contact.email });
  const section = (heading: string, content: string) =>
    content === "" ? "" : `<h2>${escapeHtml(heading)}</h2>${content}`;
  const status = (name: PersonRecord["memberships"][number]["membership"]["status"]) =>
    text(`preferences.list.${name === "bounced" || name === "complained" ? "stopped" : name}`);
  const details = [
    item(text("data.email"), contact.email),
    item(text("preferences.firstName"), contact.firstName),
    item(text("preferences.lastName"), contact.lastName),
    item(text("data.tags"), contact.tags.join(", ")),
    item(text("data.created"), date(contact.createdAt)),
    ...Object.entries(contact.data).map(([key, value]) =>
      item(key, typeof value === "string" ? value : JSON.stringify(value)),
    ),
  ].join("");
  const inLists = memberships.map(
    ({ name, membership }) => `${name}: ${status(membership.status)}`,
  );
  const ofTopics = left.map(({ name }) => `${name}: ${text("preferences.topic.off")}`);
  const files = dataFiles.map((name) => {
    const kinds = name === "contact" ? ["json"] : ["csv", "json"];
    const links = kinds.map((kind) => `<a href="${name}.${kind}">${name}.${kind}</a>`).join(", ");
    return `<dt>${links}</dt><dd>${escapeHtml(text(`data.${name}`))}</dd>`;
  });
  return `<!doctype html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-inline-size: 40rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
dt { font-weight: 600; margin-block-start: .5rem } dd { margin: 0 } ul { padding-inline-start: 1.2rem }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text("data.asOf", { date: date(new Date()) }))}</p>
${section(text("data.person"), `<dl>${details}</dl>`)}
${section(text("preferences.lists"), inLists.length > 0 ? `<ul>${rowsOf(inLists)}</ul>` : "")}
${section(text("preferences.topics"), ofTopics.length > 0 ? `<ul>${rowsOf(ofTopics)}</ul>` : "")}
${section(text("data.files"), `<dl>${files.join("")}</dl>`)}
</main>
</body>
</html>
`;
}

/**
 * Everything stored about a person, as a ZIP: a page to read, and JSON and CSV to process. In the chosen language,
 * otherwise the person's, otherwise the project's. null when there is no such contact.
 */
export async function archiveOf(
  person: Person,
  language: string | null = null,
): Promise<ReadableStream<Uint8Array> | null> {
  const stored = await readPerson(person.db, person);
  if (!stored) return null;
  const { contact } = stored;
  const records = await allRecordsOf(person.db, contact);
  const suppressed = await readSuppressed(person.db, person.projectId, records);
  const texts = textsFor(language, languageIn(stored.contact.data), stored.language);
  return zipOf(
    {
      "index.html": pageOf(stored, texts),
      "contact.json": `${JSON.stringify(recordOf(stored, records, suppressed), null, 2)}\n`,
    },
    datasetsOf({ ...person, ...records }),
  );
}
