import type { Database } from "@/db/client";
import { tookTooLong } from "@/db/time-limit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { env } from "@/lib/ground/env/env";
import { newId } from "@/lib/ground/ids/ids";
import { isAppError, type AppError, type FieldError } from "@/lib/ground/errors";
import { slowRead } from "@/lib/ground/slow-reads";
import type { AddressedEmail } from "@/lib/mail/content/addressed-email";
import { recipientUrls } from "@/lib/mail/content/campaign-headers";
import { composeContent, type ComposedContent } from "@/lib/mail/content/compose-content";
import type { InspectedHtml } from "@/lib/mail/content/inspect-html";
import { MessageContents, type MessageContent } from "@/lib/mail/content/message-contents";
import { checkContent, inspect } from "@/lib/mail/content/rendering";
import { audienceCondition, findFilter } from "./audience";
import { mailsOf, senderOf, type CampaignMail, type CampaignSender } from "./mail";
import { faulty, type CampaignRow } from "./readiness";

/** What has to be known about a person to make their mail. */
export type MailPerson = Pick<AddressedEmail, "contact" | "listFields" | "joinedBy">;

/** What a campaign's mail becomes for one person. */
export interface RenderedMail extends ComposedContent {
  mail: CampaignMail;
  inspected: InspectedHtml;
}

/** Problems with everybody's mail: it would fail, or break the law. */
export interface MailProblem extends FieldError {
  code: "template_invalid" | "template_fails" | "unsubscribe_hidden";
}

/** A campaign's mail, tried out. */
export interface MailTrial {
  problems: MailProblem[];
  /** One person each, with variants and people in turn. */
  rendered: RenderedMail[];
  /** Why it cannot be rendered for some people although it can for others. */
  failures: FieldError[];
}

const somePeople = 3;
const longestSearchSeconds = 1;
const nobody: MailPerson = { contact: null, listFields: null, joinedBy: null };

function messageOf(row: CampaignRow, mail: CampaignMail, sender: CampaignSender): MessageContent {
  const { subject, previewText, fromName, html, text } = mail.content;
  const { id, projectId, fromEmail, replyTo, utm } = row;
  return {
    ...{ id, projectId, fromEmail, fromName, replyTo, subject, previewText, html, text, utm },
    ...{ liquid: true, headers: {}, data: null, test: true, domain: null, campaignId: id },
    ...{ list: sender.list, postalAddress: sender.address, trackOpens: false, trackClicks: false },
    ...{ relayed: null, attachments: [], bytes: 0, project: sender.project, connectionId: null },
    baseUrl: env().APP_URL,
  };
}

function addressed(row: CampaignRow, emailId: string, person: MailPerson): AddressedEmail {
  return {
    ...{ id: emailId, projectId: row.projectId, messageId: row.id, campaignId: row.id },
    ...{ recipient: person.contact?.email ?? "", recipientName: "", source: "CAMPAIGN" },
    ...{ createdAt: new Date(), date: new Date(), ...person },
  };
}

const faultsOf = (error: unknown, path: string): FieldError[] => {
  if (!isAppError(error)) throw error;
  return [...(error.details ?? [{ path, message: error.message }])];
};

async function checkLiquid(
  row: CampaignRow,
  { content, paths }: CampaignMail,
): Promise<MailProblem[]> {
  try {
    await checkContent(row.projectId, content);
    return [];
  } catch (error) {
    return faultsOf(error, paths.body).map(({ path, message }) => ({
      code: "template_invalid",
      path: paths[path as keyof typeof paths] ?? path,
      message,
    }));
  }
}

/** Whether people can press one of the links that let them leave. */
function canLeave({ inspected }: RenderedMail, emailId: string): boolean {
  const { unsubscribeUrl, preferencesUrl } = recipientUrls(emailId, env().APP_URL);
  return inspected.links.some(
    ({ url, visible }) => visible && (url === unsubscribeUrl || url === preferencesUrl),
  );
}

/**
 * Renders a campaign as it is now for these people, and for one about whom nothing is known. Missing parts are not
 * reported here.
 */
export async function tryMail(
  db: Database,
  row: CampaignRow,
  people: readonly MailPerson[],
): Promise<MailTrial> {
  const sender = await senderOf(db, row);
  const contents = new MessageContents(db);
  const trial: MailTrial = { problems: [], rendered: [], failures: [] };
  for (const mail of await mailsOf(db, row)) {
    const invalid = await checkLiquid(row, mail);
    trial.problems.push(...invalid);
    if (invalid.length > 0) continue;
    const message = messageOf(row, mail, sender);
    const failures: FieldError[] = [];
    const rendered: RenderedMail[] = [];
    let hidden = 0;
    for (const person of [...people, nobody]) {
      const emailId = newId(row.projectId);
      try {
        const email = addressed(row, emailId, person);
        const composed = await composeContent(message, email, contents, { tracked: false });
        const inspected = await inspect(row.projectId, composed.html ?? "");
        const finished = { ...composed, mail, inspected };
        rendered.push(finished);
        if (mail.content.html?.trim() && !canLeave(finished, emailId)) hidden++;
      } catch (error) {
        failures.push(...faultsOf(error, mail.paths.body));
      }
    }
    const [failure] = failures;
    if (failure && rendered.length === 0) {
      trial.problems.push({
        code: "template_fails",
        path: mail.paths.body,
        message: failure.message,
      });
    } else if (failure) trial.failures.push({ path: mail.paths.body, message: failure.message });
    if (rendered.length > 0 && hidden === rendered.length) {
      const message =
        "shows nobody a way to unsubscribe: its link is hidden or has no text. Give the link a text, or remove it, and one is added for you";
      trial.problems.push({ code: "unsubscribe_hidden", path: mail.paths.body, message });
    }
    trial.rendered.push(...rendered);
  }
  return trial;
}

/** Some of those who would get it; nobody when finding them takes too long. */
async function findPeople(db: Database, row: CampaignRow): Promise<MailPerson[]> {
  const filter = row.segmentId && (await findFilter(db, row.projectId, row.segmentId));
  const choice = { filter: filter || null, listId: row.listId };
  try {
    return await slowRead({ db, projectId: row.projectId }, longestSearchSeconds, async (tx) => {
      const people = await tx
        .select({ contact: c })
        .from(c)
        .where(audienceCondition(row.projectId, choice))
        .limit(somePeople);
      return people.map(({ contact }) => ({ contact, listFields: null, joinedBy: null }));
    });
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    return [];
  }
}

/**
 * Why a campaign would fail for every recipient, or leave them no way out, as the error to throw. Its mail is
 * rendered outside any transaction; missing parts are not checked here (see findProblem).
 */
export async function findMailProblem(db: Database, row: CampaignRow): Promise<AppError | null> {
  let { problems } = await tryMail(db, row, []);
  // Mail that fails for an unknown person may be right for every actual one.
  if (problems.some(({ code }) => code !== "template_invalid")) {
    ({ problems } = await tryMail(db, row, await findPeople(db, row)));
  }
  return faulty(problems.map(({ path, message }) => ({ path, message })));
}
