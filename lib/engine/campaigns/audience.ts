import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { insertSelected, newIdOf } from "@/db/names";
import {
  campaigns,
  contacts,
  emailQueue,
  emails,
  messages,
  projects,
  subscribers,
} from "@/db/schema";
import { audienceCondition, findFilter } from "@/lib/domain/campaigns/audience";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import { dealVariants } from "./assign-variants";
import { queueAtPersonalTimes } from "./personal-times";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { waitingColumns } from "@/lib/domain/warm-up/hold-back";
import { lockWarmup } from "@/lib/domain/warm-up/store";
import { countForMonth } from "@/lib/ground/counters/monthly-usage";
import { AppError } from "@/lib/ground/errors";

/** Contacts looked at by one statement. */
export const windowSize = 20_000;
/**
 * Few contacts of a window may match, so a step looks at several windows until it has made enough emails to be
 * worthwhile.
 */
const enough = 5_000;
const mostWindows = 8;

const beforeAll = "00000000-0000-0000-0000-000000000000";
const afterAll = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** What one step of freezing an audience did. */
export interface AudienceStep {
  added: number;
  /** How many of them are in the A/B test. */
  tested: number;
  /** Contacts up to this uuid have been looked at. */
  cursor: string;
  /** Whether nobody is left to look at. */
  done: boolean;
  /** The filter of the segment that selected them; null without a segment. */
  filter: SegmentFilter | null;
}

/**
 * Writes an email for each of the next contacts that belong to the campaign's audience, set-based, and counts them
 * for the month; the caller moves the campaign's cursor in the same transaction. People added after the campaign
 * started are not included. Throws CONFLICT (the segment is gone) and PAYMENT_REQUIRED (the project's monthly
 * limit): the caller rolls back.
 */
export async function freezeNextRecipients(
  tx: Transaction,
  campaign: CampaignRow,
  messageId: string,
): Promise<AudienceStep> {
  const { projectId, segmentId } = campaign;
  const filter = segmentId === null ? null : await findFilter(tx, projectId, segmentId);
  if (segmentId !== null && filter === null) {
    throw new AppError("CONFLICT", inEnglish("The campaign's segment no longer exists."));
  }
  const warming = await isWarming(tx, campaign, messageId);
  const step: AudienceStep = {
    added: 0,
    tested: 0,
    cursor: campaign.audienceCursor ?? beforeAll,
    done: false,
    filter,
  };
  for (let window = 0; window < mostWindows && step.added < enough && !step.done; window++) {
    const upper = await windowEnd(tx, campaign, step.cursor);
    const bounds = { after: step.cursor, upTo: upper ?? afterAll };
    const condition = audienceCondition(projectId, {
      filter,
      listId: null,
      topicId: campaign.topicId,
      asked: (id) => sql`${id} > ${bounds.after} and ${id} <= ${bounds.upTo}`,
    });
    const chosen = chosenFrom(campaign, condition, bounds);
    const { added, tested } = await queue(tx, campaign, messageId, chosen, step, warming);
    step.added += added;
    step.tested += tested;
    step.cursor = bounds.upTo;
    step.done = upper === null;
  }
  if (step.added > 0) await takeFromMonth(tx, projectId, step.added);
  return step;
}

/** Whether its mail has to wait for the warm-up of its domain; if so, the domain's plan is locked. */
export async function isWarming(
  tx: Transaction,
  { test }: CampaignRow,
  messageId: string,
): Promise<boolean> {
  if (test) return false;
  const [message] = await tx
    .select({ domainId: messages.domainId })
    .from(messages)
    .where(eq(messages.id, messageId));
  if (!message?.domainId) return false;
  return ((await lockWarmup(tx, message.domainId))?.cap ?? null) !== null;
}

/** The last contact of the window behind `after`; null when the window reaches to the end. */
async function windowEnd(
  executor: Executor,
  { projectId, listId }: CampaignRow,
  after: string,
): Promise<string | null> {
  // A list's members are found through its own index, so a short list in a large project takes one step.
  const [row] = await (
    listId === null
      ? executor
          .select({ id: contacts.id })
          .from(contacts)
          .where(and(eq(contacts.projectId, projectId), gt(contacts.id, after)))
          .orderBy(asc(contacts.id))
      : executor
          .select({ id: subscribers.contactId })
          .from(subscribers)
          .where(and(eq(subscribers.listId, listId), gt(subscribers.contactId, after)))
          .orderBy(asc(subscribers.contactId))
  )
    .offset(windowSize - 1)
    .limit(1);
  return row?.id ?? null;
}

/**
 * SQL: contacts `c` of the window who belong to the audience. In the order of the index that has the window: by any
 * other, each window of a project without statistics could read all of its contacts.
 */
function chosenFrom(
  { id, listId }: CampaignRow,
  condition: SQL,
  { after, upTo }: { after: string; upTo: string },
): SQL {
  // The database's own time, to the microsecond: a Date would leave out people added in the same millisecond.
  const start = sql`(select ${campaigns.startedAt} from ${campaigns} where ${campaigns.id} = ${id})`;
  const member =
    listId === null
      ? sql``
      : sql`and exists (select from ${subscribers}
          where ${subscribers.listId} = ${listId} and ${subscribers.contactId} = c.id
            and ${subscribers.status} = 'subscribed' and ${subscribers.createdAt} <= ${start}
            and ${subscribers.contactId} > ${after} and ${subscribers.contactId} <= ${upTo})`;
  return sql`${contacts} ${c}
    where ${c.id} > ${after} and ${c.id} <= ${upTo} and ${c.createdAt} <= ${start}
      and ${condition} ${member}
    order by ${c.id}`;
}

type Queued = Pick<AudienceStep, "added" | "tested">;

/** Writes the emails; in an A/B test some get the variants, and the others wait for the winner. */
async function queue(
  executor: Executor,
  campaign: CampaignRow,
  messageId: string,
  chosen: SQL,
  soFar: Queued,
  warming: boolean,
): Promise<Queued> {
  const { variantMessageIds, winner, personalTime } = campaign;
  // The cap decides what a domain's warm-up lets out, whatever the hour.
  if (personalTime && !warming) {
    const timed = { ...campaign, personalTime };
    return { added: await queueAtPersonalTimes(executor, timed, messageId, chosen), tested: 0 };
  }
  if (variantMessageIds === null) {
    return { added: await queueAll(executor, campaign, messageId, chosen, warming), tested: 0 };
  }
  // People selected after the winner was chosen by hand need no test.
  const winning = winner === null ? undefined : variantMessageIds[winner - 1];
  if (winning !== undefined) {
    return { added: await queueAll(executor, campaign, winning, chosen, warming), tested: 0 };
  }
  const before = {
    added: campaign.recipients + soFar.added,
    tested: campaign.tested + soFar.tested,
  };
  return dealVariants(executor, campaign, variantMessageIds, chosen, before, warming);
}

async function queueAll(
  executor: Executor,
  { id, projectId }: CampaignRow,
  messageId: string,
  chosen: SQL,
  warming: boolean,
): Promise<number> {
  // Planned with its values each time, since how many contacts a segment leaves decides how it is best read. The
  // cursor prevents writing anybody twice and emails_campaign_contact proves it: ignoring conflicts would cost a
  // third more.
  const { count } = await executor.execute(sql`
    with person as materialized (
      select ${newIdOf(sql`${projectId}::uuid`)} as email_id, ${c.id}, ${c.email}, ${c.createdAt} from ${chosen}
    ), written as (
      ${insertSelected(emails, {
        id: sql`email_id`,
        projectId: sql`${projectId}`,
        messageId: sql`${messageId}`,
        contactId: sql`id`,
        campaignId: sql`${id}`,
        recipient: sql`email`,
        source: sql`'CAMPAIGN'`,
        status: sql`'PENDING'`,
      })}
      from person
    )
    ${insertSelected(emailQueue, {
      emailId: sql`email_id`,
      projectId: sql`${projectId}`,
      campaignId: sql`${id}`,
      ...(warming
        ? waitingColumns(sql`person.id`, sql`person.created_at`)
        : { dueAt: sql`app_now()` }),
    })}
    from person`);
  return count;
}

async function takeFromMonth(executor: Executor, projectId: string, added: number): Promise<void> {
  const counted = await executor.execute(
    countForMonth(sql`(select ${projectId}::uuid as project_id, ${added}::int as emails)`),
  );
  if (counted.length > 0) return;
  const [project] = await executor
    .select({ limit: projects.monthlyEmailLimit })
    .from(projects)
    .where(eq(projects.id, projectId));
  throw new AppError(
    "PAYMENT_REQUIRED",
    inEnglish("The project's limit of {limit} emails a month does not cover all recipients.", {
      limit: String(project?.limit ?? 0),
    }),
  );
}
