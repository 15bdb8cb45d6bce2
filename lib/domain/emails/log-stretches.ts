import { sql, type SQL } from "drizzle-orm";
import { campaigns, emails, messages } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { timeKey } from "./log-place";

/** From when until when emails were written, as timeKey has it. */
export interface Stretch {
  /** null: they never were. */
  begun: string | null;
  /** null: they still are. */
  done: string | null;
}

/** The stretch of the log in which a campaign that has begun wrote its emails. */
export interface CampaignStretch {
  /** As timeKey has them; `infinity`: it still writes. */
  begun: string;
  done: string;
  /** Of the campaign. */
  recipients: number;
}

const begun = timeKey(sql`${campaigns.startedAt}`);
const done = timeKey(sql`${campaigns.audienceDoneAt} + interval '1 minute'`);

/**
 * SQL: what makes a StretchRow of each of begunMessages. A campaign that was cancelled can be deleted, and its emails stay:
 * all that is known of them then is that their message was there before.
 */
export const stretchColumns = sql`
  coalesce(${begun}, ${timeKey(sql`${messages.createdAt}`)}) as begun, coalesce(${done}, 'infinity') as done,
  coalesce(${campaigns.recipients}, 0) as recipients`;
export type StretchRow = CampaignStretch & Record<string, unknown>;

/** SQL: the contents of the project's campaigns that have begun, few as these are made by hand. */
export const begunMessages = (projectId: string): SQL => sql`
  ${messages} left join ${campaigns} on ${campaigns.id} = ${messages.campaignId}
  where ${messages.projectId} = ${projectId} and ${messages.campaignId} is not null
    and (${campaigns.id} is null or ${campaigns.startedAt} is not null)`;

/** Of the campaign (uuid). Throws NOT_FOUND. */
export async function campaignStretch(ctx: Context, campaignId: string): Promise<Stretch> {
  const [row] = await ctx.db.execute<{ begun: string | null; done: string | null }>(sql`
    select ${begun} as begun, ${done} as done from ${campaigns}
    where ${campaigns.projectId} = ${ctx.projectId} and ${campaigns.id} = ${campaignId}`);
  if (!row) throw notFound();
  return row;
}

/** Of all campaigns that have begun, as often as they have contents. */
export function campaignStretches({ db, projectId }: Context): Promise<CampaignStretch[]> {
  return db.execute<StretchRow>(sql`select ${stretchColumns} from ${begunMessages(projectId)}`);
}

export const withinStretch = (stretch: Stretch): SQL[] => [
  sql`${emails.createdAt} >= ${stretch.begun}::timestamptz`,
  ...(stretch.done === null ? [] : [sql`${emails.createdAt} < ${stretch.done}::timestamptz`]),
];
