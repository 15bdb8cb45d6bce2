import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { emails } from "@/db/schema";
import { decodeId } from "@/lib/ground/ids/ids";
import { findRelayedEmails } from "./relayed-messages";

interface ProjectDatabase {
  db: Executor;
  /** uuid */
  projectId: string;
}

/** Amazon SES makes the Message-ID of its own id: <id@eu-central-1.amazonses.com>. */
const providerIdIn = (headerId: string) => headerId.replace(/@[a-z0-9-]+\.amazonses\.com$/i, "");

/** The uuids of the emails that a provider took under these Message-IDs, or under these ids of its own; in their order. */
export async function findTakenEmails(
  { db, projectId }: ProjectDatabase,
  headerIds: readonly string[],
): Promise<string[]> {
  if (headerIds.length === 0) return [];
  const providerIds = headerIds.map(providerIdIn);
  const rows = await executePrepared<{ id: string; provider_id: string }>(
    db,
    sql`
    select ${emails.id}, ${emails.providerId} from ${emails}
    where ${emails.projectId} = ${projectId}
      and ${emails.providerId} = any(${sql.param(providerIds)}::text[])`,
  );
  const ofProviderId = new Map(rows.map(({ id, provider_id: providerId }) => [providerId, id]));
  return providerIds.flatMap((providerId) => ofProviderId.get(providerId) ?? []);
}

/**
 * The uuids of the emails that a Message-ID names, in angle brackets or not: one of ours or of a relay's client, an
 * email's own id, or what a provider that took it calls it. `most` at most.
 */
export async function findNamedEmails(
  { db, projectId }: ProjectDatabase,
  messageId: string,
  most: number,
): Promise<string[]> {
  const headerId = messageId.trim().replace(/^<|>$/g, "");
  const own = decodeId("email", headerId.split("@", 1)[0] ?? "");
  if (own) return [own];
  const relayed = await findRelayedEmails(db, projectId, headerId, most);
  return relayed.length > 0 ? relayed : findTakenEmails({ db, projectId }, [headerId]);
}

/** The one that it names; null also for a client's that went to several people: which of them is meant cannot be told. */
export async function findNamedEmail(
  project: ProjectDatabase,
  messageId: string,
): Promise<string | null> {
  const [email, another] = await findNamedEmails(project, messageId, 2);
  return another === undefined ? (email ?? null) : null;
}
