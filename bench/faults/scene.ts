import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { domains } from "@/db/schema";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { createDkimKey } from "@/lib/domain/sending-domains/dkim-keys";
import { addSuppression } from "@/lib/domain/suppressions/suppressions";
import { systemContext } from "@/lib/ground/context";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { makeCampaign, seedContacts } from "@/lib/testing/campaigns";

/** A project with a campaign to its people. */
export interface Sender {
  projectId: string;
  apiKey: string;
  domain: string;
  /** uuid */
  campaign: string;
  /** What its mail's subjects begin with; no other project's do. */
  word: string;
  people: number;
}

export interface Scene {
  shop: Sender;
  /** Writes to some of the shop's people, who may have left the shop: to it, that means nothing. */
  other: Sender;
  /** The shop's people: address and wire id of the contact. */
  contacts: { email: string; id: string }[];
  /** Those who had left before the campaign began. */
  barred: string[];
}

/** People who are suppressed at the start, and as many who have unsubscribed. */
const barredOfEach = 20;
/** The other project's people are this part of the shop's. */
const shared = 0.1;

async function makeSender(db: Database, word: string, people: number): Promise<Sender> {
  const { projectId, apiKey } = await makeProject(db, { name: word });
  const domain = `${word.toLowerCase()}.example`;
  await db.insert(domains).values({
    ...{ id: newId(projectId), projectId, name: domain, status: "VERIFIED", inbound: true },
    ...(await createDkimKey()),
  });
  await seedContacts(db, projectId, people, { email: sql`'person' || n || '@example.org'` });
  const campaign = await makeCampaign(db, {
    ...{ projectId, fromEmail: `news@${domain}`, status: "DRAFT" },
    subject: `${word} news for {{ firstName }}`,
    html: `<p>Hello {{ firstName }},</p><p><a href="https://example.com/a">a link</a></p>`,
  });
  return { projectId, apiKey, domain, campaign, word, people };
}

/** Two projects, ready to send. */
export async function makeScene(db: Database, people: number): Promise<Scene> {
  const shop = await makeSender(db, "Shop", people);
  const other = await makeSender(db, "Other", Math.ceil(people * shared));
  // Limits are not what is tried here.
  await db.execute(sql`
    update projects set sends_per_minute = 1000000, requests_per_ten_seconds = 1000000`);
  const contacts = await db.execute<{ id: string; email: string }>(sql`
    select id, email from contacts where project_id = ${shop.projectId} order by email`);
  const barred = contacts.slice(0, 2 * barredOfEach).map(({ email }) => email);
  const [suppressed, unsubscribed] = [barred.slice(0, barredOfEach), barred.slice(barredOfEach)];
  const ctx = systemContext(db, shop.projectId);
  for (const email of suppressed) await addSuppression(ctx, { email });
  await db.execute(sql`
    update contacts set consent = 'unsubscribed'
    where project_id = ${shop.projectId} and email = any(${sql.param(unsubscribed)}::text[])`);
  await db.execute(sql`analyze contacts`);
  return {
    shop,
    other,
    contacts: contacts.map(({ id, email }) => ({ email, id: encodeId("contact", id) })),
    barred,
  };
}

export async function beginCampaigns(db: Database, { shop, other }: Scene): Promise<void> {
  for (const { projectId, campaign } of [shop, other]) {
    await sendCampaign(systemContext(db, projectId), encodeId("campaign", campaign), {});
  }
}
