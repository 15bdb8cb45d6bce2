import { sql } from "drizzle-orm";
import { contacts, emails, messages } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { renderOne } from "@/lib/mail/content/rendering";
import { contactVariables } from "@/lib/mail/content/variables";

/** What it takes to say which subject somebody gets. */
export interface SubjectRow extends Record<string, unknown> {
  message_id: string;
  recipient: string | null;
  /** What this person got, once it was rendered. */
  own_subject: string | null;
  message_subject: string;
  liquid: boolean;
  /** The request's, of mail that waits; null when it is large. */
  data: Record<string, unknown> | null;
  data_is_large: boolean | null;
  first_name: string | null;
  last_name: string | null;
  tags: string[] | null;
  contact_data: Record<string, unknown> | null;
}

const largestWithRow = 16_000;
const waits = sql`${emails.subject} is null and ${messages.liquid} and ${messages.subject} like '%{%'`;
const dataLength = sql`octet_length(${messages.data}::text)`;

/** The columns of SubjectRow, from emails, their messages and contacts. */
export const subjectColumns = sql`${emails.messageId}, ${emails.recipient},
  ${emails.subject} as own_subject, ${messages.subject} as message_subject, ${messages.liquid},
  case when ${waits} then ${dataLength} > ${sql.raw(String(largestWithRow))} end as data_is_large,
  case when ${waits} and ${dataLength} <= ${sql.raw(String(largestWithRow))} then ${messages.data} end as data,
  ${contacts.firstName}, ${contacts.lastName}, ${contacts.tags}, ${contacts.data} as contact_data`;

/**
 * The subjects these people get: those that were sent, or for waiting mail, those that would be sent now. Variables
 * of a megabyte are read one message at a time: a hundred of them can take two gigabytes of memory.
 */
export async function subjectsOf<Row extends SubjectRow>(
  ctx: Context,
  rows: readonly Row[],
): Promise<Map<Row, string>> {
  const subjects = new Map<Row, string>();
  const large = new Map<string, Row[]>();
  await Promise.all(
    rows.map(async (row) => {
      if (!row.data_is_large) subjects.set(row, await subjectOf(ctx, row, row.data));
      else large.set(row.message_id, [...(large.get(row.message_id) ?? []), row]);
    }),
  );
  for (const [messageId, ofMessage] of large) {
    const data = await dataOf(ctx, messageId);
    for (const row of ofMessage) subjects.set(row, await subjectOf(ctx, row, data));
  }
  return subjects;
}

async function dataOf(ctx: Context, messageId: string): Promise<SubjectRow["data"]> {
  const [message] = await ctx.db.execute<Pick<SubjectRow, "data">>(
    sql`select ${messages.data} from ${messages} where ${messages.id} = ${messageId}`,
  );
  return message?.data ?? null;
}

async function subjectOf(ctx: Context, row: SubjectRow, data: SubjectRow["data"]): Promise<string> {
  if (row.own_subject !== null || !row.liquid) return row.own_subject ?? row.message_subject;
  const variables = contactVariables(
    {
      email: row.recipient ?? "",
      firstName: row.first_name ?? "",
      lastName: row.last_name ?? "",
      tags: row.tags ?? [],
      data: row.contact_data ?? {},
    },
    data ?? {},
  );
  try {
    const template = { source: row.message_subject, kind: "subject", path: "subject" } as const;
    return (await renderOne(ctx.projectId, template, variables)).rendered;
  } catch {
    // Data can push a template over its limits; the record must still be readable.
    return row.message_subject;
  }
}
