import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { inboundEmails } from "@/db/schema";
import type { InboundAttachment } from "@/db/schema/inbound";
import { fileOfMail } from "@/lib/mail/incoming/incoming";
import { readStoredBytes } from "@/lib/ground/stored-bytes";
import { withViewMemory } from "@/lib/mail/incoming/view-memory";
import type { AttachedFile } from "@/lib/mail/message/message-view";
import { readAttachmentToken } from "@/lib/mail/tracking/tokens";
import { appUrls } from "@/lib/mail/tracking/urls";

const linkSeconds = 7 * 24 * 3_600;

/** A file as it is described to programs. */
export interface LinkedAttachment extends InboundAttachment {
  url: string;
  expiresAt: string;
}

/** Files with links that work for seven days, for anybody who has them. */
export function linked(
  inboundId: string,
  attachments: readonly InboundAttachment[],
): LinkedAttachment[] {
  const expires = Math.floor(Date.now() / 1000) + linkSeconds;
  return attachments.map((attachment, position) => ({
    ...attachment,
    url: appUrls.attachment({ inboundId, position, expires }),
    expiresAt: new Date(expires * 1000).toISOString(),
  }));
}

/** Reads a whole mail (uuid) and hands it to `handle`; projects take turns. */
export async function withRaw<Result>(
  db: Database,
  { id, projectId, size }: { id: string; projectId: string; size: number },
  handle: (raw: Buffer) => Promise<Result>,
): Promise<Result | null> {
  return withViewMemory(projectId, async (memory) => {
    await memory.hold(size);
    const raw = await readStoredBytes(db, inboundEmails.raw, {
      where: eq(inboundEmails.id, id),
      size,
    });
    return raw ? handle(raw) : null;
  });
}

/** The file a link points to; null when the link is not ours or has expired, or its mail is gone. */
export async function findLinkedFile(db: Database, token: string): Promise<AttachedFile | null> {
  const link = readAttachmentToken(token);
  if (!link) return null;
  const [row] = await db
    .select({
      projectId: inboundEmails.projectId,
      size: inboundEmails.size,
      expired: sql<boolean>`to_timestamp(${link.expires}) <= app_now()`,
    })
    .from(inboundEmails)
    .where(eq(inboundEmails.id, link.inboundId));
  if (!row || row.expired) return null;
  return withRaw(db, { id: link.inboundId, ...row }, (raw) =>
    fileOfMail(row.projectId, raw, link.position),
  );
}
