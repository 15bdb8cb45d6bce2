import { createHash } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { ConsentKind, ConsentOrigin } from "@/db/enums";
import { insertSelected, newIdOf } from "@/db/names";
import { consentChanges, consentTexts } from "@/db/schema";
import type { ConsentValue } from "@/db/schema/contacts";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";

/** Who or what changes a subscription, as the contact's history records it. Ids are uuids. */
export interface ChangedBy {
  origin: ConsentOrigin;
  /** The user or the API key. */
  actorId: string | null;
  /** The mail whose link was used. */
  emailId?: string | null;
  /** The sign-up form. */
  formId?: string | null;
  /** For the person's own acts: what they read, and where they acted from. */
  textHash?: Buffer | null;
  ipAddress?: string | null;
  userAgent?: string | null;
  /** Why they left, as one of our reasons and in their own words. */
  reason?: string | null;
  comment?: string | null;
}

/** What proves a person's own act. */
export interface Evidence {
  ipAddress: string;
  userAgent: string;
  /** What they read where they chose, in their language. */
  text: string;
}

/** Stores the text, once for everybody who read the same one, and turns the rest into columns. */
export async function keepEvidence(
  executor: Executor,
  projectId: string,
  evidence: Evidence | undefined,
): Promise<Pick<ChangedBy, "textHash" | "ipAddress" | "userAgent">> {
  if (!evidence) return {};
  const { text, ipAddress, userAgent } = evidence;
  const textHash = createHash("sha256").update(text).digest();
  await executor
    .insert(consentTexts)
    .values({ projectId, hash: textHash, text })
    .onConflictDoNothing();
  return { textHash, ipAddress, userAgent };
}

/** The actor of a request. */
export function changedBy(ctx: Pick<Context, "actor" | "platformTokenId">): ChangedBy {
  const { actor, platformTokenId } = ctx;
  // An assistant acts for a person; the audit log records which assistant it was.
  if (actor.type === "assistant") return { origin: "user", actorId: actor.userId };
  return {
    origin: platformTokenId === undefined ? actor.type : "platformToken",
    actorId: actor.id,
  };
}

/** Records one change, through the executor that makes it. */
export async function recordConsentChange(
  executor: Executor,
  change: {
    projectId: string;
    contactId: string;
    /** null: of everything the project sends. */
    listId: string | null;
    topicId?: string;
    /** Absent: a subscription. */
    kind?: ConsentKind;
    before: ConsentValue | null;
    after: ConsentValue;
    /** Of a pause. */
    until?: Date;
    /** Absent: now. */
    createdAt?: Date;
  },
  by: ChangedBy,
): Promise<void> {
  await executor.insert(consentChanges).values({
    id: newId(change.projectId, change.createdAt?.getTime()),
    ...change,
    ...by,
  });
}

/**
 * SQL of a CTE's body that records how a statement changed subscriptions to everything a project sends.
 *
 * @param source a relation with `project_id`, `contact_id`, `before` (null: the contact is new) and
 *   `consent`; rows in which nothing changed are ignored. A new contact that was never asked has no history.
 */
export function writtenConsentChanges(
  source: SQL,
  by: { origin: SQL; actorId?: SQL; emailId?: SQL; importId?: SQL },
): SQL {
  return sql`${insertSelected(consentChanges, {
    id: newIdOf(sql`project_id`),
    projectId: sql`project_id`,
    contactId: sql`contact_id`,
    before: sql`before`,
    after: sql`consent`,
    ...by,
  })}
  from ${source}
  where before <> consent or before is null and consent <> 'never'`;
}
