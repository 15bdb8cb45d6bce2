import { sql, type SQL } from "drizzle-orm";
import { emails, messages, templates } from "@/db/schema";
import { byId, ownedBy } from "@/lib/ground/by-id";
import type { Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import {
  begunMessages,
  stretchColumns,
  type CampaignStretch,
  type StretchRow,
} from "./log-stretches";
import type { LogQuery } from "./log-schema";

/** What the log is asked for that stands in messages; one of the two at least. */
export interface AskedContent {
  subject: string | null;
  /** uuid */
  templateId: string | null;
}

/** The content that a query asks for; null: any. Throws NOT_FOUND for a template that the project never had. */
export async function askedContent(ctx: Context, query: LogQuery): Promise<AskedContent | null> {
  const subject = query.subject || null;
  if (query.templateId === undefined)
    return subject === null ? null : { subject, templateId: null };
  const templateId = decodeId("template", query.templateId);
  if (!templateId || !(await hadTemplate(ctx, templateId))) throw notFound();
  return { subject, templateId };
}

/** One that was deleted is known by the mail that was made from it. */
async function hadTemplate({ db, projectId }: Context, templateId: string): Promise<boolean> {
  const [row] = await db.execute<{ had: boolean }>(sql`
    select exists (select from ${templates} where ${byId(templates, projectId, templateId)})
      or exists (select from ${messages}
        where ${messages.templateId} = ${templateId} and ${ownedBy(messages.projectId, projectId)}) as had`);
  return row?.had ?? false;
}

/** Conditions on messages, for those that were found otherwise. */
export const messageHas = ({ subject, templateId }: AskedContent): SQL[] => [
  ...(subject === null ? [] : [sql`(${messages.subject} = ${subject}) is true`]),
  ...(templateId === null ? [] : [sql`(${messages.templateId} = ${templateId}) is true`]),
];

/**
 * SQL: whether an email has the content: its subject as it was written or as this person got it. A value, so that it is
 * looked up for each email: as a condition, all messages with the subject could be read first.
 */
export function emailHas({ subject, templateId }: AskedContent): SQL {
  const conditions = [
    ...(subject === null
      ? []
      : [sql`(${messages.subject} = ${subject} or ${emails.subject} = ${subject}) is true`]),
    ...messageHas({ subject: null, templateId }),
  ];
  return sql`(select ${sql.join(conditions, sql` and `)} from ${messages}
    where ${messages.id} = ${emails.messageId})`;
}

export interface CampaignContent extends CampaignStretch {
  messageId: string;
}

/** The contents of campaigns that are asked for, with the stretch of the log in which their mail was written. */
export async function campaignContents(
  { db, projectId }: Context,
  content: AskedContent,
  campaignId: string | null,
): Promise<CampaignContent[]> {
  const ofCampaign = campaignId ? [sql`(${messages.campaignId} = ${campaignId}) is true`] : [];
  const rows = await db.execute<StretchRow & { message_id: string }>(sql`
    select ${messages.id} as message_id, ${stretchColumns}
    from ${begunMessages(projectId)}
      and ${sql.join([...messageHas(content), ...ofCampaign], sql` and `)}`);
  return rows.map(({ message_id: messageId, ...stretch }) => ({ messageId, ...stretch }));
}
