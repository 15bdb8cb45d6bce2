import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { AttachmentContent } from "./normalize";

/** A message (uuid) of a project (uuid) with what it carries. */
export interface CarryingMessage {
  id: string;
  projectId: string;
  attachments: AttachmentContent[];
}

/** Stores content once per project and SHA-256, and hangs it on the messages that carry it. */
export async function storeAttachments(
  tx: Executor,
  messages: readonly CarryingMessage[],
): Promise<void> {
  const carried = messages.flatMap(({ id, projectId, attachments }) =>
    attachments.map(({ sha256, ...attachment }, position) => ({
      id,
      projectId,
      position,
      hash: sha256.toString("hex"),
      ...attachment,
    })),
  );
  if (carried.length === 0) return;
  const blobs = [...new Map(carried.map((one) => [one.projectId + one.hash, one])).values()];
  // Touching a known blob keeps the clean-up from taking it away under us. Base64, since the driver
  // would write an array of bytea out as text of twice the size.
  await tx.execute(sql`
    insert into attachment_blobs (project_id, sha256, content)
    select given.project_id, decode(given.hash, 'hex'), decode(given.content, 'base64')
    from unnest(
      ${sql.param(blobs.map(({ projectId }) => projectId))}::uuid[],
      ${sql.param(blobs.map(({ hash }) => hash))}::text[],
      ${sql.param(blobs.map(({ content }) => content.toString("base64")))}::text[]
    ) as given(project_id, hash, content)
    order by given.project_id, given.hash
    on conflict (project_id, sha256) do update set created_at = app_now()`);
  await tx.execute(sql`
    insert into message_attachments (message_id, position, project_id, sha256, filename,
      content_type, content_id)
    select message_id, position, project_id, decode(hash, 'hex'), filename, content_type, content_id
    from unnest(
      ${sql.param(carried.map((one) => one.projectId))}::uuid[],
      ${sql.param(carried.map((one) => one.id))}::uuid[],
      ${sql.param(carried.map((one) => one.position))}::smallint[],
      ${sql.param(carried.map((one) => one.hash))}::text[],
      ${sql.param(carried.map((one) => one.filename))}::text[],
      ${sql.param(carried.map((one) => one.contentType))}::text[],
      ${sql.param(carried.map((one) => one.contentId))}::text[]
    ) as given(project_id, message_id, position, hash, filename, content_type, content_id)`);
}
