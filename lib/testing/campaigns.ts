import { sql, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";
import { campaigns } from "@/db/schema";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { newId } from "@/lib/ground/ids/ids";
import { toItsEnd } from "./to-its-end";

/** `count` subscribed contacts `p0@example.org`, `p1@…`; `columns` may say otherwise (SQL of `n`). */
export async function seedContacts(
  db: Database,
  projectId: string,
  count: number,
  columns: { email?: SQL; consent?: SQL; tags?: SQL } = {},
): Promise<void> {
  await db.execute(sql`
    insert into contacts (id, project_id, email, first_name, consent, tags)
    select new_id(${projectId}), ${projectId}, ${columns.email ?? sql`'p' || n || '@example.org'`}, 'Reader ' || n,
      ${columns.consent ?? sql`'subscribed'`}, ${columns.tags ?? sql`'{}'::text[]`}
    from generate_series(0, ${count - 1}) n`);
}

/** A campaign that has just been started, or what `values` make of it. Resolves to its uuid. */
export async function makeCampaign(
  db: Database,
  values: Partial<typeof campaigns.$inferInsert> & { projectId: string; fromEmail: string },
): Promise<string> {
  const [row] = await db
    .insert(campaigns)
    .values({
      id: newId(values.projectId),
      name: "News",
      subject: "News for {{ firstName }}",
      html: "<p>Hello {{ firstName }}</p>",
      status: "SENDING",
      ...values,
    })
    .returning({ id: campaigns.id });
  if (!row) throw new Error("An insert returned no row.");
  await db.execute(sql`
    update campaigns set due_at = coalesce(scheduled_at, app_now()),
      started_at = case when status = 'SENDING' then app_now() end
    where id = ${row.id} and status in ('SENDING', 'SCHEDULED')`);
  return row.id;
}

/** Takes the steps that are due, until none is. */
export async function advance(db: Database): Promise<void> {
  await toItsEnd((signal) => advanceCampaigns(db, signal));
}

export interface StoredCampaign extends Record<string, unknown> {
  status: string;
  failure_reason: string | null;
  recipients: number;
  waits: boolean;
  complete: boolean;
  /** How many emails there are, and to how many people. */
  emails: number;
  people: number;
  by_status: Record<string, number>;
  figures: Record<"settled" | "sent" | "delivered" | "bounced" | "complained" | "failed", number>;
}

/** The campaign's row beside the truth about its emails and figures. */
export async function storedCampaign(db: Database, id: string): Promise<StoredCampaign> {
  const [row] = await db.execute<StoredCampaign>(sql`
    select status, failure_reason, recipients, due_at is not null as waits,
      audience_done_at is not null as complete,
      (select count(*)::int from emails where campaign_id = c.id) as emails,
      (select count(distinct contact_id)::int from emails where campaign_id = c.id) as people,
      (select coalesce(jsonb_object_agg(status, n), '{}') from (
        select status, count(*) as n from emails where campaign_id = c.id group by status) s
      ) as by_status,
      (select jsonb_build_object('settled', coalesce(sum(settled), 0), 'sent', coalesce(sum(sent), 0),
        'delivered', coalesce(sum(delivered), 0), 'bounced', coalesce(sum(bounced), 0),
        'complained', coalesce(sum(complained), 0), 'failed', coalesce(sum(failed), 0))
        from hourly_figures where campaign_id = c.id) as figures
    from campaigns c where id = ${id}`);
  if (!row) throw new Error("There is no such campaign.");
  return row;
}
