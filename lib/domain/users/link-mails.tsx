import { render } from "react-email";
import type { Database } from "@/db/client";
import { LoginLink, loginLinkSubject } from "@/emails/login-link";
import { PasswordReset, passwordResetSubject } from "@/emails/password-reset";
import type { Origin } from "@/lib/ground/context";
import { auditUser } from "./audit";
import { createLoginToken } from "./login-tokens";
import { sendPlatformMail } from "./platform-mail";
import { findUserByEmail } from "./users";

export type MailedLink = "login" | "password_reset";

/** Mails a single-use link to the user with this address; does nothing when there is no such user. */
export async function mailLink(
  db: Database,
  input: { email: string; purpose: MailedLink },
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
  const isReset = input.purpose === "password_reset";
  const letter = isReset ? (
    <PasswordReset url={url} email={user.email} />
  ) : (
    <LoginLink url={url} email={user.email} />
  );
  await sendPlatformMail(db, user, {
    subject: isReset ? passwordResetSubject : loginLinkSubject,
    html: await render(letter),
    text: await render(letter, { plainText: true }),
  });
}
