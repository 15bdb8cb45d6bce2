import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { campaigns, contacts, emailQueue, emails, links, messages, subscribers } from "@/db/schema";
import type { Database } from "@/db/client";
import type { SubscriberSource } from "@/db/enums";
import { recordConsentChange, type ChangedBy } from "@/lib/domain/contacts/consent-changes";
import type { Context } from "@/lib/ground/context";
import { newId, newUnownedId } from "@/lib/ground/ids/ids";
import { readLinkToken } from "@/lib/mail/tracking/tokens";
import type { TestMailServer } from "./delivery";

type Message = Partial<typeof messages.$inferInsert>;

interface Person {
  email: string;
  firstName?: string;
  data?: Record<string, unknown>;
  /** How they got onto the list. */
  source?: SubscriberSource;
  /** Through whom they subscribed to everything, as their history has it, oldest first. */
  came?: ChangedBy[];
}

/** A campaign that is being sent to these people; resolves to the emails' uuids. */
export async function sendingCampaign(
  { db, projectId }: Pick<Context, "db" | "projectId">,
  domain: { id: string; name: string },
  people: Person[],
  message: Message,
  listId: string | null = null,
): Promise<{ messageId: string; emailIds: string[] }> {
  const [campaign] = await db
    .insert(campaigns)
    .values({ id: newId(projectId), projectId, name: "News", status: "SENDING", listId })
    .returning();
  const campaignId = campaign?.id ?? "";
  const messageId = newUnownedId();
  await db.insert(messages).values({
    id: messageId,
    projectId,
    campaignId,
    domainId: domain.id,
    fromEmail: `news@${domain.name}`,
    subject: "News",
    ...message,
  });
  const emailIds: string[] = [];
  for (const { email, firstName = "", data = {}, source = "api", came = [] } of people) {
    const contactId = newUnownedId();
    await db
      .insert(contacts)
      .values({ id: contactId, projectId, email, firstName, data, consent: "subscribed" });
    for (const by of came) {
      const change = { listId: null, before: "unsubscribed", after: "subscribed" } as const;
      await recordConsentChange(db, { projectId, contactId, ...change }, by);
    }
    if (listId !== null) {
      await db.insert(subscribers).values({
        id: newId(projectId),
        projectId,
        listId,
        contactId,
        status: "subscribed",
        source,
        fields: { CITY: `${email} <city>` },
      });
    }
    const id = newUnownedId();
    await db.insert(emails).values({
      id,
      projectId,
      messageId,
      contactId,
      campaignId,
      recipient: email,
      source: "CAMPAIGN",
      status: "PENDING",
    });
    await db.insert(emailQueue).values({
      emailId: id,
      projectId,
      campaignId,
      dueAt: sql`app_now()` as never,
    });
    emailIds.push(id);
  }
  return { messageId, emailIds };
}

/** A message as its recipient's program reads it. */
export interface ReadMail {
  to: string;
  raw: Buffer;
  html: string;
  text: string;
  headers: Map<string, string>;
}

/** What the server has received since the last call, in order. */
export async function takeMails(server: TestMailServer): Promise<ReadMail[]> {
  return Promise.all(
    server.mails.splice(0).map(async ({ to, raw }) => {
      const parsed = await PostalMime.parse(raw);
      return {
        to: to[0] ?? "",
        raw,
        html: parsed.html ?? "",
        text: parsed.text ?? "",
        headers: new Map(parsed.headers.map(({ key, value }) => [key, value])),
      };
    }),
  );
}

export const hrefs = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? "");

/** What a tracked link's address identifies; null for all other addresses. */
export const clickOf = (href: string | undefined) =>
  readLinkToken(/^http:\/\/localhost:3000\/t\/c\/(.*)$/.exec(href ?? "")?.[1] ?? "");

export async function urlsOf(db: Database, messageId: string): Promise<string[]> {
  const rows = await db.select().from(links).where(eq(links.messageId, messageId));
  return rows.map(({ url }) => url).toSorted();
}
