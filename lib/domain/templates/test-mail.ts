import { retryConflicts } from "@/db/errors";
import { changedBy } from "@/lib/domain/contacts/consent-changes";
import { getContact } from "@/lib/domain/contacts/contacts";
import { acceptUnits, refusedSenderDomain, type Accepted } from "@/lib/domain/emails/accept";
import { countAccepted } from "@/lib/domain/emails/accept-shared";
import { toMailbox } from "@/lib/domain/emails/normalize";
import { testMessage } from "@/lib/domain/emails/test-message";
import { unverifiedSender } from "@/lib/domain/emails/unverified-sender";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, isAppError, noSuch } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { announce } from "@/lib/ground/queue/announce";
import { designedContent } from "@/lib/mail/content/designed";
import { contactVariables } from "@/lib/mail/content/variables";
import { renderContent, sampleVariables } from "./templates";
import type { TemplateTest, TemplateTestSent } from "./test-schema";

/** What inboxes show before the subject of a test. */
const mark = "[Test] ";

/** What the placeholders are filled with. Throws NOT_FOUND naming `contactId`. */
async function variablesOf(
  ctx: Context,
  { contactId, data }: TemplateTest,
): Promise<Record<string, unknown>> {
  if (contactId === undefined) return sampleVariables(data ?? {});
  try {
    return contactVariables(await getContact(ctx, contactId), null);
  } catch (error) {
    if (isAppError(error) && error.code === "NOT_FOUND") throw noSuch("contactId", "contact");
    throw error;
  }
}

/**
 * Sends what somebody writes, saved or not, as one person would get it, to up to five addresses. It makes nobody a
 * contact, and its links are not tracked. Throws VALIDATION_ERROR (content, recipients), NOT_FOUND (the contact),
 * DOMAIN_NOT_VERIFIED naming `from`, PAYMENT_REQUIRED. Needs editor.
 */
export async function testTemplate(ctx: Context, input: TemplateTest): Promise<TemplateTestSent> {
  requireRole(ctx, "editor");
  const { body } = designedContent(input);
  if (!body) throw invalid("body", "is required");
  const content = { subject: input.subject, body };
  const { subject, html, text } = await renderContent(ctx, content, await variablesOf(ctx, input));
  const message = testMessage(input.to, {
    from: toMailbox(input.from),
    subject: mark + subject,
    html,
    text,
    // It is filled in: with the recipient's own data it would be somebody else's mail.
    liquid: false,
    templateUuid: null,
    replyTo: null,
  });
  const { projectId, testMode } = ctx;
  const unit = { projectId, testMode, by: changedBy(ctx), messages: [message] };
  const [result] = await retryConflicts(() => acceptUnits(ctx.db, [unit], { newContacts: false }));
  const { emails } = await acceptedOf(ctx, result);
  countAccepted(unit);
  announce(ctx.db, "emails_due");
  return {
    emails: emails.map(({ emailId, contactEmail }) => ({
      id: encodeId("email", emailId),
      to: contactEmail,
    })),
  };
}

async function acceptedOf(ctx: Context, result: Accepted | Error | undefined): Promise<Accepted> {
  if (!result) throw new Error("Accepting lost its unit.");
  if (!(result instanceof Error)) return result;
  const domain = refusedSenderDomain(result);
  throw domain === null ? result : await unverifiedSender(ctx.db, ctx.projectId, domain, "from");
}
