import { and, asc, eq, gt, inArray, sql, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";
import {
  contactChanges,
  contactNotes,
  emailEvents,
  emails,
  inboundEmails,
  messages,
} from "@/db/schema";
import type { RecordsOf } from "@/lib/domain/contact-states/merged";
import { mailToStrangers } from "@/lib/domain/contact-states/strangers";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { publicEmailSource } from "@/lib/domain/emails/terms";
import { ownedBy } from "@/lib/ground/by-id";
import { systemContext } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { isoTime } from "@/lib/ground/iso-time";
import type { Dataset } from "./archive";

/** The person whose data it is; uuids. */
export interface Person {
  db: Database;
  projectId: string;
  contactId: string;
}

/** With the ids and addresses of contacts merged into theirs, under which mail and history may still stand. */
type Recorded = Person & RecordsOf;

const rowsAtOnce = 500;

/** The person's mail, oldest first under each id, and then what was sent to their addresses while these were no contact's. */
async function* mailPages(person: Recorded) {
  for (const id of person.ids) yield* mailPagesOf(eq(emails.contactId, id), person);
  const toStranger = mailToStrangers(person.projectId, person.addresses);
  yield* mailPagesOf(sql`${emails.id} = any(array(${toStranger}))`, person);
}

/** Emails of the person that an index finds by the condition. */
async function* mailPagesOf(found: SQL, { db, projectId }: Person) {
  const { createdAt, id } = emails;
  // To the microsecond: a Date could not tell rows of one transaction apart.
  const exactTime = sql<string>`${createdAt}::text`;
  for (let last: { at: string; id: string } | null = null; ;) {
    const rows: Awaited<ReturnType<typeof read>> = await read(last);
    yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < rowsAtOnce) return;
    last = { at: end.at, id: end.email.id };
  }

  function read(after: { at: string; id: string } | null) {
    return db
      .select({
        email: emails,
        at: exactTime,
        subject: sql<string>`coalesce(${emails.subject}, ${messages.subject}, '')`,
        from: messages.fromEmail,
      })
      .from(emails)
      .leftJoin(messages, eq(messages.id, emails.messageId))
      .where(
        and(
          found,
          ownedBy(emails.projectId, projectId),
          after
            ? sql`(${createdAt}, ${id}) > (${after.at}::timestamptz, ${after.id}::uuid)`
            : undefined,
        ),
      )
      .orderBy(asc(createdAt), asc(id))
      .limit(rowsAtOnce);
  }
}

const mails = (person: Recorded): Dataset => ({
  name: "emails",
  columns: [
    ...["id", "subject", "from", "to", "kind", "status", "createdAt", "sentAt", "deliveredAt"],
    ...["openedAt", "opens", "clickedAt", "clicks", "bouncedAt", "complainedAt", "unsubscribedAt"],
  ],
  async *pages() {
    for await (const rows of mailPages(person)) {
      yield rows.map(({ email, subject, from }) => ({
        id: encodeId("email", email.id),
        subject,
        from,
        to: email.recipient,
        kind: publicEmailSource(email.source),
        status: email.status,
        createdAt: isoTime(email.createdAt),
        sentAt: isoTime(email.sentAt),
        deliveredAt: isoTime(email.deliveredAt),
        openedAt: isoTime(email.openedAt),
        opens: email.opens,
        clickedAt: isoTime(email.clickedAt),
        clicks: email.clicks,
        bouncedAt: isoTime(email.bouncedAt),
        complainedAt: isoTime(email.complainedAt),
        unsubscribedAt: isoTime(email.unsubscribedAt),
      }));
    }
  },
});

/** What happened to each mail: opens and clicks with the address and the program they came from. */
const events = (person: Recorded): Dataset => ({
  name: "events",
  columns: ["at", "emailId", "event", "data"],
  async *pages() {
    const { db } = person;
    for await (const rows of mailPages(person)) {
      if (rows.length === 0) continue;
      const ofMails = inArray(
        emailEvents.emailId,
        rows.map(({ email }) => email.id),
      );
      for (let last: string | null = null; ;) {
        const page: (typeof emailEvents.$inferSelect)[] = await db
          .select()
          .from(emailEvents)
          .where(and(ofMails, last === null ? undefined : gt(emailEvents.id, last)))
          .orderBy(asc(emailEvents.id))
          .limit(rowsAtOnce);
        yield page.map(({ createdAt, emailId, name, data }) => ({
          at: createdAt.toISOString(),
          emailId: encodeId("email", emailId),
          event: name,
          data,
        }));
        last = page.at(-1)?.id ?? null;
        if (page.length < rowsAtOnce) break;
      }
    }
  },
});

/** Every change of consent, newest first, with the text that was shown. */
const consents = ({ db, projectId, contactId }: Person): Dataset => ({
  name: "consent",
  columns: [
    ...["createdAt", "kind", "before", "after", "list", "topic", "until", "reason", "comment"],
    ...["by", "ipAddress", "userAgent", "emailId", "importId", "text"],
  ],
  async *pages() {
    const ctx = systemContext(db, projectId);
    const id = encodeId("contact", contactId);
    let cursor: string | undefined;
    do {
      const page = await listSubscriptionChanges(ctx, id, { limit: rowsAtOnce, cursor });
      // Members who did something for them appear only by role: their names are not this person's data.
      yield page.data.map(({ by, list, topic, ...change }) => ({
        ...change,
        ...{ by: by.type, list: list?.name ?? null, topic: topic?.name ?? null },
      }));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  },
});

/** Mail that the person wrote. */
const received = ({ db, projectId, contactId }: Person): Dataset => ({
  name: "received",
  columns: ["receivedAt", "from", "to", "subject"],
  async *pages() {
    for (let last: string | null = null; ;) {
      const { id, fromEmail, recipients, subject, createdAt } = inboundEmails;
      const rows: { id: string; from: string; to: string[]; subject: string; at: Date }[] = await db
        .select({ id, from: fromEmail, to: recipients, subject, at: createdAt })
        .from(inboundEmails)
        .where(
          and(
            ownedBy(inboundEmails.projectId, projectId),
            eq(inboundEmails.contactId, contactId),
            last === null ? undefined : gt(id, last),
          ),
        )
        .orderBy(asc(id))
        .limit(rowsAtOnce);
      yield rows.map((row) => ({
        receivedAt: row.at.toISOString(),
        ...{ from: row.from, to: row.to.join(" "), subject: row.subject },
      }));
      last = rows.at(-1)?.id ?? null;
      if (rows.length < rowsAtOnce) return;
    }
  },
});

/** What was changed in their details. Who did it appears only by role, as in the history of consent. */
const changes = (person: Recorded): Dataset => ({
  name: "changes",
  columns: ["at", "before", "after", "by"],
  async *pages() {
    for (const id of person.ids) yield* changePagesUnder(id, person);
  },
});

async function* changePagesUnder(contactId: string, { db, projectId }: Person) {
  const { id, createdAt } = contactChanges;
  // To the microsecond, as for mail.
  for (let last: { at: string; id: string } | null = null; ;) {
    const rows: { change: typeof contactChanges.$inferSelect; at: string }[] = await db
      .select({ change: contactChanges, at: sql<string>`${createdAt}::text` })
      .from(contactChanges)
      .where(
        and(
          eq(contactChanges.contactId, contactId),
          ownedBy(contactChanges.projectId, projectId),
          last
            ? sql`(${createdAt}, ${id}) > (${last.at}::timestamptz, ${last.id}::uuid)`
            : undefined,
        ),
      )
      .orderBy(asc(createdAt), asc(id))
      .limit(rowsAtOnce);
    yield rows.map(({ change: { before, after, origin, createdAt: at } }) => ({
      ...{ at: at.toISOString(), before, after, by: origin },
    }));
    const end = rows.at(-1);
    if (!end || rows.length < rowsAtOnce) return;
    last = { at: end.at, id: end.change.id };
  }
}

/** What members noted about the person. */
const notes = ({ db, projectId, contactId }: Person): Dataset => ({
  name: "notes",
  columns: ["createdAt", "updatedAt", "text"],
  async *pages() {
    const { id } = contactNotes;
    for (let last: string | null = null; ;) {
      const rows: (typeof contactNotes.$inferSelect)[] = await db
        .select()
        .from(contactNotes)
        .where(
          and(
            eq(contactNotes.contactId, contactId),
            ownedBy(contactNotes.projectId, projectId),
            last === null ? undefined : gt(id, last),
          ),
        )
        .orderBy(asc(id))
        .limit(rowsAtOnce);
      yield rows.map(({ text, createdAt, updatedAt }) => ({
        ...{ createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), text },
      }));
      last = rows.at(-1)?.id ?? null;
      if (rows.length < rowsAtOnce) return;
    }
  },
});

export const datasetsOf = (person: Recorded): Dataset[] =>
  [mails, events, consents, received, changes, notes].map((dataset) => dataset(person));
