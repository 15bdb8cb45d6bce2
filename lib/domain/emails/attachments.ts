import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { AttachmentContent } from "./normalize";

/** Stores content once per project and SHA-256, and hangs it on the messages (uuid) that carry it. */
export async function storeAttachments(
  tx: Executor,
  projectId: string,
  messages: { id: string; attachments: AttachmentContent[] }[],
): Promise<void> {
  const carried = messages.flatMap(({ id, attachments }) =>
    attachments.map((attachment, position) => ({ id, position, ...attachment })),
  );
  if (carried.length === 0) return;
  const blobs = new Map(carried.map((one) => [one.sha256.toString("hex"), one.content]));
  const hashes = [...blobs.keys()].sort();
  // Touching a known blob keeps the clean-up from taking it away under us. Base64, since the driver
  // would write an array of bytea out as text of twice the size.
  await tx.execute(sql`
    insert into attachment_blobs (project_id, sha256, content)
    select ${projectId}, decode(given.hash, 'hex'), decode(given.content, 'base64')
    from unnest(
      ${sql.param(hashes)}::text[],
      ${sql.param(hashes.map((hash) => blobs.get(hash)?.toString("base64") ?? ""))}::text[]
    ) as given(hash, content)
    order by given.hash
    on conflict (project_id, sha256) do update set created_at = app_now()`);
  await tx.execute(sql`
    insert into message_attachments (message_id, position, project_id, sha256, filename,
      content_type, content_id)
    select message_id, position, ${projectId}, decode(hash, 'hex'), filename, content_type, content_id
    from unnest(
      ${sql.param(carried.map((one) => one.id))}::uuid[],
      ${sql.param(carried.map((one) => one.position))}::smallint[],
      ${sql.param(carried.map((one) => one.sha256.toString("hex")))}::text[],
      ${sql.param(carried.map((one) => one.filename))}::text[],
      ${sql.param(carried.map((one) => one.contentType))}::text[],
      ${sql.param(carried.map((one) => one.contentId))}::text[]
    ) as given(message_id, position, hash, filename, content_type, content_id)`);
}
