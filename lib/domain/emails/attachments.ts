import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { assignments, columns, insertSelected } from "@/db/names";
import { attachmentBlobs, messageAttachments } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { AttachmentContent } from "./normalize";

/** A message (uuid) of a project (uuid) with its attachments. */
export interface CarryingMessage {
  id: string;
  projectId: string;
  attachments: AttachmentContent[];
}

/** Stores content once per project and SHA-256, and attaches it to the messages that carry it. */
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
  // Touching an existing blob keeps the clean-up from deleting it under us. Base64, since the driver would
  // serialize an array of bytea as text of twice the size.
  await tx.execute(sql`
    ${insertSelected(attachmentBlobs, {
      projectId: sql`given.project_id`,
      sha256: sql`decode(given.hash, 'hex')`,
      content: sql`decode(given.content, 'base64')`,
    })}
    from unnest(
      ${sql.param(blobs.map(({ projectId }) => projectId))}::uuid[],
      ${sql.param(blobs.map(({ hash }) => hash))}::text[],
      ${sql.param(blobs.map(({ content }) => content.toString("base64")))}::text[]
    ) as given(project_id, hash, content)
    order by given.project_id, given.hash
    on conflict (${columns(attachmentBlobs.projectId, attachmentBlobs.sha256)})
      do update set ${assignments(attachmentBlobs, { createdAt: now })}`);
  await tx.execute(sql`
    ${insertSelected(messageAttachments, {
      messageId: sql`given.message_id`,
      position: sql`given.position`,
      projectId: sql`given.project_id`,
      sha256: sql`decode(given.hash, 'hex')`,
      filename: sql`given.filename`,
      contentType: sql`given.content_type`,
      contentId: sql`given.content_id`,
    })}
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
