import { eq, sql } from "drizzle-orm";
import { render } from "react-email";
import type { Executor } from "@/db/client";
import { projects, sessions, users, type invitations } from "@/db/schema";
import { Letter } from "@/emails/letter";
import { sendDirectMail } from "@/lib/domain/direct-mail/send";
import { createLoginToken } from "@/lib/domain/users/login-tokens";
import { signsInAtProviderOnly } from "@/lib/domain/users/own-ways";
import { findOwnMailbox, findSigningDomain } from "@/lib/domain/users/platform-mail";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { textsFor } from "@/lib/ground/texts/texts";
import { answerPath } from "./invitation-rows";

type Row = typeof invitations.$inferSelect;

/** Whether somebody knows the way in: they have a password, or are or were signed in lately. */
async function hasBeenHere(db: Executor, userId: string): Promise<boolean> {
  const [row] = await db.execute<{ known: boolean }>(sql`
    select ${users.passwordHash} is not null
      or exists (select from ${sessions} where ${sessions.userId} = ${users.id}) as known
    from ${users} where ${users.id} = ${userId}`);
  return row?.known ?? false;
}

/**
 * Where the mail leads. Somebody new gets a link that signs them in, as they have no other way; to everybody else a
 * link that signs in would be one more thing to lose.
 */
async function urlFor(ctx: Context, { id, email }: Row, userId: string): Promise<string> {
  const path = answerPath(id);
  if (signsInAtProviderOnly(email) || (await hasBeenHere(ctx.db, userId))) {
    return `${env().APP_URL}${path}`;
  }
  const link = { userId, purpose: "invitation", redirectTo: path } as const;
  return (await createLoginToken(ctx.db, link)).url;
}

/**
 * Mails the invitation in the project's language. False under `capture` for somebody without a project, who
 * has no mailbox. Throws when the mail server does not take it.
 */
export async function mailInvitation(ctx: Context, row: Row, inviter: string): Promise<boolean> {
  const [project] = await ctx.db
    .select({ name: projects.name, language: projects.language })
    .from(projects)
    .where(eq(projects.id, ctx.projectId));
  if (!project) throw new Error("The project was deleted.");
  const user = await findOrCreateUser(ctx.db, { email: row.email });
  const { language, dir, text } = textsFor(project.language);
  const words = { project: project.name, inviter };
  const letter = (
    <Letter
      {...{ language, dir }}
      title={text("mail.invitation.title", words)}
      preview={text("mail.invitation.preview", words)}
      text={text("mail.invitation.text", words)}
      action={{
        label: text("mail.invitation.button"),
        url: await urlFor(ctx, row, user.id),
        hint: text("mail.copyLink"),
      }}
      foot={text("mail.invitation.foot")}
    />
  );
  return sendDirectMail(
    ctx.db,
    {
      fromName: "Lettermill",
      to: { name: "", address: row.email },
      subject: text("mail.invitation.subject", words),
      html: await render(letter),
      text: await render(letter, { plainText: true }),
    },
    {
      sender: await findSigningDomain(ctx.db, row.invitedBy),
      mailbox: () => findOwnMailbox(ctx.db, user.id),
      patient: true,
    },
  );
}
