import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";

export const keptAddress = "ada@example.com";
export const otherAddress = "ada@example.org";

/** A project in which one person is two contacts. */
export async function makeTwins(db: Database, more: { kept?: object; other?: object } = {}) {
  const project = await makeProject(db);
  const add = async (email: string, fields: object = {}) =>
    (await upsertContact(project.ctx, { email, ...fields })).contact;
  return {
    ...project,
    kept: await add(keptAddress, more.kept),
    other: await add(otherAddress, more.other),
  };
}

interface Twin {
  id: string;
  email: string;
}

/** A campaign that has chosen these people; the uuids of their emails, in their order. */
export async function campaignTo(
  db: Database,
  { projectId }: Context,
  to: readonly { twin: Twin; status: "PENDING" | "SENT" | "FAILED" }[],
  audience: "chosen" | "open" = "chosen",
): Promise<string[]> {
  const [campaign] = await db.execute<{ id: string; message_id: string }>(sql`
    with campaign as (
      insert into campaigns (id, project_id, name, status, started_at, audience_done_at, from_email, subject, html)
      values (new_id(${projectId}::uuid), ${projectId}, 'Issue', 'SENDING', app_now(),
        ${audience === "chosen" ? sql`app_now()` : sql`null`}, 'news@sandbox.test', 'Hello', '<p>Hi')
      returning id
    ), message as (
      insert into messages (id, project_id, campaign_id, from_email, subject, html)
      select new_id(${projectId}::uuid), ${projectId}, id, 'news@sandbox.test', 'Hello', '<p>Hi' from campaign
      returning id
    ) select campaign.id, message.id as message_id from campaign, message`);
  if (!campaign) throw new Error("There is no campaign.");
  const ids: string[] = [];
  for (const { twin, status } of to) {
    const [email] = await db.execute<{ id: string }>(sql`
      insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status, sent_at)
      values (new_id(${projectId}::uuid), ${projectId}, ${campaign.message_id},
        ${decodeId("contact", twin.id)}, ${campaign.id}, ${twin.email}, 'CAMPAIGN', ${status},
        ${status === "SENT" ? sql`app_now()` : sql`null`})
      returning id`);
    if (!email) throw new Error("There is no email.");
    ids.push(email.id);
    if (status !== "PENDING") continue;
    await db.execute(sql`
      insert into email_queue (email_id, project_id, campaign_id, due_at)
      values (${email.id}, ${projectId}, ${campaign.id}, app_now())`);
  }
  return ids;
}
