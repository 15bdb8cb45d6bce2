import { and, eq, isNull } from "drizzle-orm";
import { render } from "react-email";
import type { Database } from "@/db/client";
import { loginTokens } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { Letter } from "@/emails/letter";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { endAssistantsOf } from "@/lib/domain/assistants/tokens";
import { invalid } from "@/lib/ground/errors";
import { log } from "@/lib/ground/log";
import { currentLanguage } from "@/lib/ground/texts/t";
import { textsFor } from "@/lib/ground/texts/texts";
import { requireOwnWays } from "./own-ways";
import { lockedPassword, setPassword } from "./passwords";
import { sendPlatformMail } from "./platform-mail";
import { askingPerson, recordOwnAct, withFreshProof } from "./prove";
import type { PasswordChange, PasswordChanged } from "./schema";
import { getSecondFactor } from "./second-factor";
import { getUser, type User } from "./users";

/**
 * Mails the person that their password is another one, in the language they read; whoever has changed it must not be
 * the only one to know. A mail that cannot be sent is logged: the password is changed.
 */
export async function tellOfNewPassword(
  db: Database,
  user: User,
  languages: readonly string[],
): Promise<void> {
  const texts = textsFor(...languages);
  const { language, dir, text } = texts;
  const letter = (
    <Letter
      {...{ language, dir }}
      title={text("mail.newPassword.title")}
      preview={text("mail.newPassword.preview")}
      text={text("mail.newPassword.text", { email: user.email })}
      action={{
        label: text("mail.newPassword.button"),
        url: `${env().APP_URL}/sign-in/forgot`,
        hint: text("mail.copyLink"),
      }}
      foot={text("mail.newPassword.foot")}
    />
  );
  try {
    await sendPlatformMail(db, user, {
      subject: text("mail.newPassword.subject"),
      html: await render(letter),
      text: await render(letter, { plainText: true }),
    });
  } catch (error) {
    log.error(
      { userId: user.id, name: error instanceof Error ? error.name : "unknown" },
      "a person could not be told of their new password",
    );
  }
}

/**
 * Sets the actor's own password, ends all of their sessions but the one that asks, their assistants and every link that
 * was mailed, and tells them by mail. Who has a password types it; who has none proves it with a code of the app or, without one, by
 * having signed in a moment ago. Throws VALIDATION_ERROR for a wrong proof or an unacceptable password,
 * RATE_LIMIT_EXCEEDED after too many, NOT_ALLOWED for keys and for people who sign in at the provider alone.
 */
export async function changePassword(
  ctx: Context,
  { newPassword, ...proof }: PasswordChange,
): Promise<PasswordChanged> {
  const user = await getUser(ctx.db, askingPerson(ctx));
  requireOwnWays(user.email);
  const { hasPassword } = await getSecondFactor(ctx);
  if (hasPassword && proof.password === undefined) throw invalid("password", "is required");
  const endedSessions = await withFreshProof(
    ctx,
    proof,
    async (tx) => {
      const stored = await lockedPassword(tx, user.id);
      if (!hasPassword && stored !== null) throw invalid("password", "is required");
    },
    async (tx) => {
      const ended = await setPassword(tx, user.id, newPassword, ctx.session?.id);
      await tx
        .update(loginTokens)
        .set({ usedAt: now })
        .where(and(eq(loginTokens.userId, user.id), isNull(loginTokens.usedAt)));
      await endAssistantsOf(tx, user.id, ctx);
      await recordOwnAct(tx, ctx, "change.password", { first: !hasPassword, sessions: ended });
      return ended;
    },
  );
  await tellOfNewPassword(ctx.db, user, [currentLanguage()]);
  return { endedSessions };
}
