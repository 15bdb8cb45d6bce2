import { render } from "react-email";
import type { Database } from "@/db/client";
import { Letter } from "@/emails/letter";
import type { Origin } from "@/lib/ground/context";
import { textsFor, type Texts } from "@/lib/ground/texts/texts";
import { auditUser } from "./audit";
import { createLoginToken } from "./login-tokens";
import { sendPlatformMail } from "./platform-mail";
import { findUserByEmail } from "./users";

export type MailedLink = "login" | "password_reset";

function letterOf(texts: Texts, kind: "login" | "reset", email: string, url: string) {
  const { language, dir, text } = texts;
  return (
    <Letter
      {...{ language, dir }}
      title={text(`mail.${kind}.title`)}
      preview={text(`mail.${kind}.preview`)}
      text={text(`mail.${kind}.text`, { email })}
      action={{ label: text(`mail.${kind}.button`), url, hint: text("mail.copyLink") }}
      foot={text(`mail.${kind}.foot`)}
    />
  );
}

/** Mails a single-use link to the user with this address; does nothing when there is no such user. */
export async function mailLink(
  db: Database,
  /** `languages`: those their browser asks for, the most wanted first. */
  input: { email: string; purpose: MailedLink; languages?: readonly string[] },
  /** Who asked, for the audit log. */
  origin: Origin & { requestId: string },
): Promise<void> {
  const user = await findUserByEmail(db, input.email);
  if (!user) return;
  const { url } = await createLoginToken(db, { userId: user.id, purpose: input.purpose });
  await auditUser(db, user.id, {
    action: input.purpose === "login" ? "request.loginLink" : "request.passwordReset",
    actor: { type: "system", id: null },
    details: {},
    origin,
    requestId: origin.requestId,
  });
  const kind = input.purpose === "password_reset" ? "reset" : "login";
  const texts = textsFor(...(input.languages ?? []));
  const letter = letterOf(texts, kind, user.email, url);
  const content = {
    subject: texts.text(`mail.${kind}.subject`),
    html: await render(letter),
    text: await render(letter, { plainText: true }),
  };
  await sendPlatformMail(db, user, content, { patient: true });
}
