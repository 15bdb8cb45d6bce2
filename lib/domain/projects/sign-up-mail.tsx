import { render } from "react-email";
import type { Database } from "@/db/client";
import { Letter } from "@/emails/letter";
import { sendDirectMail } from "@/lib/domain/direct-mail/send";
import { textsFor } from "@/lib/ground/texts/texts";

/** Mails a link to somebody who wants an account, in the installation's own name: they have no project yet. */
export async function mailSignUp(
  db: Database,
  mail: {
    /** `known`: there is an account already. */
    kind: "signUp" | "known";
    to: string;
    url: string;
    /** Those their browser asks for, the most wanted first. */
    languages: readonly string[];
  },
): Promise<void> {
  const { kind, to, url, languages } = mail;
  const { language, dir, text } = textsFor(...languages);
  const letter = (
    <Letter
      {...{ language, dir }}
      title={text(`mail.${kind}.title`)}
      preview={text(`mail.${kind}.preview`)}
      text={text(`mail.${kind}.text`, { email: to })}
      action={{ label: text(`mail.${kind}.button`), url, hint: text("mail.copyLink") }}
      foot={text(`mail.${kind}.foot`)}
    />
  );
  await sendDirectMail(
    db,
    {
      fromName: "Lettermill",
      to: { name: "", address: to },
      subject: text(`mail.${kind}.subject`),
      html: await render(letter),
      text: await render(letter, { plainText: true }),
    },
    { sender: null, mailbox: () => Promise.resolve(null) },
  );
}
