import { sql } from "drizzle-orm";
import { render } from "react-email";
import type { Transaction } from "@/db/client";
import { domains } from "@/db/schema";
import { Letter } from "@/emails/letter";
import { ListFoot } from "@/emails/list-footer";
import { queueListMail } from "@/lib/domain/lists/queue-mail";
import { encodeId } from "@/lib/ground/ids/ids";
import { textsFor } from "@/lib/ground/texts/texts";
import { domainOf } from "@/lib/mail/address";
import { postalAddress } from "@/lib/mail/content/postal-address";
import { letterLook } from "@/lib/mail/design/letter-look";
import { baseUrlOf, mailUrls } from "@/lib/mail/tracking/urls";
import type { PublicForm } from "./public-form";

/** The verified domain the mail comes from: the list sender's own, else the project's oldest; null: none. */
async function signingDomain(tx: Transaction, { row, list }: PublicForm) {
  const own = domainOf(list?.fromEmail ?? "");
  const [domain] = await tx
    .select({
      domain: domains.name,
      trackingHost: sql<
        string | null
      >`case when ${domains.trackingSince} is not null then ${domains.trackingHost} end`,
    })
    .from(domains)
    .where(sql`${domains.projectId} = ${row.projectId} and ${domains.status} = 'VERIFIED'`)
    .orderBy(sql`${domains.name} = ${own} desc, ${domains.builtIn}, ${domains.id}`)
    .limit(1);
  return domain ?? { domain: null, trackingHost: null };
}

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

/** What that mail looks like in a visitor's language; its link leads nowhere. */
export const previewMail = (form: PublicForm, language: string | null): Promise<string> =>
  render(confirmationMail(form, "ada@example.com", language, "#").letter);

/** Mails the person behind a sign-up (uuid) the link that confirms it. Throws DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED. */
export async function askToConfirm(
  tx: Transaction,
  form: PublicForm,
  signUp: { id: string; email: string; language: string },
): Promise<void> {
  const { row, subject: list, list: sender } = form;
  const { id, email, language } = signUp;
  const signing = await signingDomain(tx, form);
  const url = mailUrls(baseUrlOf(signing.trackingHost)).confirmSignUp(id);
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
      to: { email, name: "" },
      ...confirmationMail(form, email, language, url),
      metadata: { mail: "signUp", formId: encodeId("form", row.id) },
    },
  );
}
