import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { Consent, SubscriberStatus } from "@/db/enums";
import { encodeId } from "@/lib/ground/ids/ids";
import { findRecipient } from "./link-holder";
import type { Preferences } from "./schema";

/** More lists than anybody chooses among on one page. */
const mostLists = 200;

interface Row extends Record<string, unknown> {
  project: string;
  email: string;
  consent: Consent;
  blocked: boolean;
}

/** What a link's holder gets from the project; `deleted`: nothing any more; null: the token is not ours. */
export async function getPreferences(
  db: Database,
  token: string,
): Promise<Preferences | "deleted" | null> {
  const recipient = await findRecipient(db, token);
  if (recipient === null || recipient === "deleted") return recipient;
  const { projectId, contactId, listId } = recipient;
  const [[person], memberships] = await Promise.all([
    db.execute<Row>(sql`
      select p.name as project, c.email, c.consent, exists (
        select from suppressions s
        where s.project_id = c.project_id and lower(s.email) = lower(c.email)) as blocked
      from contacts c join projects p on p.id = c.project_id
      where c.project_id = ${projectId} and c.id = ${contactId}`),
    db.execute<{ id: string; name: string; status: SubscriberStatus }>(sql`
      select l.id, l.name, s.status from subscribers s join lists l on l.id = s.list_id
      where s.contact_id = ${contactId} and s.project_id = ${projectId}
      order by l.id is distinct from ${listId}::uuid, lower(l.name), l.id limit ${mostLists}`),
  ]);
  if (!person) return "deleted";
  return {
    ...person,
    lists: memberships.map(({ id, name, status }) => ({
      id: encodeId("list", id),
      name,
      status: status === "bounced" || status === "complained" ? "stopped" : status,
      linked: id === listId,
    })),
  };
}
