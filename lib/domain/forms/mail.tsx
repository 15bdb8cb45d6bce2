import { render } from "react-email";
import type { Executor, Transaction } from "@/db/client";
import { Letter } from "@/emails/letter";
import { ListFoot } from "@/emails/list-footer";
import { queueListMail } from "@/lib/domain/lists/queue-mail";
import { findSigningDomain } from "@/lib/domain/lists/sender";
import { ownMail, renderTemplate, type OwnMailOf } from "@/lib/domain/own-mails/own-mail";
import { mailVariables } from "@/lib/domain/own-mails/variables";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { textsFor } from "@/lib/ground/texts/texts";
import { postalAddress } from "@/lib/mail/content/postal-address";
import { letterLook } from "@/lib/mail/design/letter-look";
import { baseUrlOf, mailUrls } from "@/lib/mail/tracking/urls";
import type { PublicForm } from "./public-form";

function senderLines({ list, brand }: PublicForm): string[] {
  const own = postalAddress(list?.contact ?? {});
  return own.length > 0 ? own : brand.postalAddress.split("\n").filter((line) => line.trim());
}

/**
 * The mail that asks to confirm. Of what was posted it shows only the address: a form must not let anybody write to
 * a stranger.
 */
function confirmationMail(form: PublicForm, email: string, wanted: string | null, url: string) {
  const { row, subject: list, brand } = form;
  const { language, dir, text } = textsFor(wanted, brand.language);
  const letter = (
    <Letter
      {...{ language, dir }}
      preview={text("mail.confirmation.preview", { list })}
      brand={list}
      look={letterLook(brand.mails)}
      title={text("mail.confirmation.title")}
      text={row.texts.mailText || text("mail.confirmation.text", { list, email })}
      action={{ label: text("mail.confirmation.button"), url, hint: text("mail.copyLink") }}
      foot={<ListFoot reason={text("mail.confirmation.foot")} sender={senderLines(form)} />}
    />
  );
  return { subject: row.texts.mailSubject || text("mail.confirmation.subject", { list }), letter };
}

/** The project's own mail instead: the form's, or the list's where the form says nothing itself. */
function ownMailOf({ row, subject: name, list }: PublicForm): OwnMailOf {
  const { projectId, listId, texts } = row;
  const mail = "confirmation";
  const ofList = list?.confirmationTemplateId ?? null;
  if (row.confirmationTemplateId === null && listId && !texts.mailSubject && !texts.mailText) {
    return { projectId, place: "list", id: listId, name, mail, templateId: ofList };
  }
  const templateId = row.confirmationTemplateId;
  return { projectId, place: "form", id: row.id, name: row.name, mail, templateId };
}

/** As in our own mail, the address is all that is shown of what was posted. */
function variablesOf(
  form: PublicForm,
  email: string,
  wanted: string | null,
  { emailId, baseUrl, confirmUrl }: { emailId: string; baseUrl: string; confirmUrl: string },
) {
  const { text } = textsFor(wanted, form.brand.language);
  const variables = mailVariables({
    contact: { email, firstName: "", lastName: "", tags: [], data: {} },
    ...{ fields: {}, emailId, baseUrl, sender: senderLines(form) },
    ...{ listName: form.subject, projectName: form.brand.project },
    mailReason: text("mail.confirmation.foot"),
  });
  return { ...variables, confirmUrl };
}

/** What that mail looks like in a visitor's language; its link leads nowhere. */
export async function previewMail(
  executor: Executor,
  form: PublicForm,
  language: string | null,
): Promise<string> {
  const email = "ada@example.com";
  const { projectId, templateId } = ownMailOf(form);
  if (templateId !== null) {
    const confirmUrl = "https://example.com/confirm";
    const at = { emailId: newId(projectId), baseUrl: baseUrlOf(null), confirmUrl };
    const variables = variablesOf(form, email, language, at);
    const made = await renderTemplate(executor, projectId, templateId, variables, confirmUrl);
    if ("own" in made) return made.own.html;
  }
  return render(confirmationMail(form, email, language, "#").letter);
}

/** Mails the person behind a sign-up (uuid) the link that confirms it. Throws DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED. */
export async function askToConfirm(
  tx: Transaction,
  form: PublicForm,
  signUp: { id: string; email: string; language: string },
): Promise<void> {
  const { row, subject: list, list: sender } = form;
  const { id, email, language } = signUp;
  const signing = await findSigningDomain(tx, row.projectId, sender?.fromEmail ?? "");
  const baseUrl = baseUrlOf(signing.trackingHost);
  const confirmUrl = mailUrls(baseUrl).confirmSignUp(id);
  const emailId = newId(row.projectId);
  const variables = variablesOf(form, email, language, { emailId, baseUrl, confirmUrl });
  await queueListMail(
    tx,
    {
      projectId: row.projectId,
      list,
      fromEmail: sender?.fromEmail ?? "",
      fromName: sender?.fromName ?? "",
      ...signing,
    },
    { testMode: false },
    {
      emailId,
      own: await ownMail(tx, ownMailOf(form), variables, confirmUrl),
      to: { email, name: "" },
      ...confirmationMail(form, email, language, confirmUrl),
      metadata: { mail: "signUp", formId: encodeId("form", row.id) },
    },
  );
}
