import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";

/** The mails that the platform wrote to a person under `capture`, oldest first, without soft line breaks. */
export async function lettersTo(db: Database, userId: string): Promise<string[]> {
  const rows = await db.execute<{ raw: string }>(sql`
    select convert_from(raw, 'utf8') as raw from captured_emails
    where reader_user_id = ${userId} order by id`);
  return rows.map(({ raw }) => raw.replaceAll("=\r\n", ""));
}
