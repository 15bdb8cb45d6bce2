import { eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import {
  emails,
  forms,
  formSignUps,
  inboundEmails,
  links,
  personRequests,
  reportLinks,
  subscribers,
} from "@/db/schema";
import { findPerson } from "@/lib/domain/contact-states/merged";
import { decodeId, isOfHome } from "@/lib/ground/ids/ids";
import {
  readAddressUndoToken,
  readAttachmentToken,
  readConfirmToken,
  readContactToken,
  readLinkToken,
  readPersonRequestToken,
  readPixelToken,
  readRecipientToken,
  readReportToken,
  readSignUpToken,
} from "@/lib/mail/tracking/tokens";

type Owned = typeof emails | typeof forms | typeof formSignUps;
type AnyOwned =
  | Owned
  | typeof inboundEmails
  | typeof personRequests
  | typeof reportLinks
  | typeof subscribers;

async function ownerOf(
  executor: Executor,
  table: AnyOwned,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null;
  const [row] = await executor
    .select({ projectId: table.projectId })
    .from(table)
    .where(eq(table.id, id));
  return row?.projectId ?? null;
}

/** What the links of recipients' pages name. */
export const linkOwners = {
  mail: async (executor: Executor, token: string) => {
    const emailId = readRecipientToken(token);
    if (emailId !== null) return ownerOf(executor, emails, emailId);
    const contactId = readContactToken(token)?.contactId;
    return contactId ? ((await findPerson(executor, contactId))?.projectId ?? null) : null;
  },
  confirm: (executor: Executor, token: string) =>
    ownerOf(executor, subscribers, readConfirmToken(token)),
  request: (executor: Executor, token: string) =>
    ownerOf(executor, personRequests, readPersonRequestToken(token) ?? readAddressUndoToken(token)),
  signUp: (executor: Executor, token: string) =>
    ownerOf(executor, formSignUps, readSignUpToken(token)),
  pixel: (executor: Executor, token: string) => ownerOf(executor, emails, readPixelToken(token)),
  /** A link outlives the record of the mail that it was in. */
  click: async (executor: Executor, token: string) => {
    const linkId = readLinkToken(token)?.linkId;
    if (linkId === undefined) return null;
    const [link] = await executor
      .select({ projectId: links.projectId })
      .from(links)
      .where(eq(links.id, linkId));
    return link?.projectId ?? null;
  },
  file: (executor: Executor, token: string) =>
    ownerOf(executor, inboundEmails, readAttachmentToken(token)?.inboundId ?? null),
  report: (executor: Executor, token: string) =>
    ownerOf(executor, reportLinks, readReportToken(token)),
  form: (executor: Executor, id: string) => ownerOf(executor, forms, decodeId("form", id)),
} as const;

/** Whether a pixel is in mail of the project: by its id alone where that says so, since most of a mail's readers ask. */
export async function isPixelOf(
  executor: Executor,
  token: string,
  projectId: string,
): Promise<boolean> {
  const emailId = readPixelToken(token);
  if (emailId === null) return false;
  return isOfHome(emailId, projectId) || (await ownerOf(executor, emails, emailId)) === projectId;
}
