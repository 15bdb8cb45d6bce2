import { and, asc, eq } from "drizzle-orm";
import type { ReactNode } from "react";
import { render } from "react-email";
import type { Database } from "@/db/client";
import type { TeamLetterKind } from "@/db/enums";
import { errorCode } from "@/db/errors";
import { memberships, projects, users } from "@/db/schema";
import { Letter } from "@/emails/letter";
import { sendPlatformMail } from "@/lib/domain/users/platform-mail";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { textsFor, type Texts } from "@/lib/ground/texts/texts";
import { wantsLetters } from "./choices";

export interface TeamLetter {
  subject: string;
  preview: string;
  text: ReactNode;
  /** A page of the project, such as `/webhooks`, and what its button says. */
  action: { label: string; page: string };
}

/**
 * Mails a letter, in the project's language, to those of its members who want that kind. A mail that does not leave
 * stops no other. Resolves to how many left, and how many did not.
 */
export async function mailTeam(
  db: Database,
  projectId: string,
  kind: TeamLetterKind,
  compose: (project: string, texts: Texts) => TeamLetter,
): Promise<{ sent: number; unsent: number }> {
  const readers = await db
    .select({ id: users.id, email: users.email, name: users.name, project: projects })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(and(eq(memberships.projectId, projectId), wantsLetters(kind)))
    .orderBy(asc(users.id));
  const dashboard = `${env().APP_URL}/dashboard/${encodeId("project", projectId)}`;
  const results = { sent: 0, unsent: 0 };
  for (const reader of readers) {
    const texts = textsFor(reader.project.language);
    const { subject, preview, text, action } = compose(reader.project.name, texts);
    const letter = (
      <Letter
        language={texts.language}
        dir={texts.dir}
        title={subject}
        preview={preview}
        text={text}
        action={{
          label: action.label,
          url: `${dashboard}${action.page}`,
          hint: texts.text("mail.copyLink"),
        }}
        foot={texts.text("mail.team", { project: reader.project.name })}
      />
    );
    try {
      await sendPlatformMail(db, reader, {
        subject,
        html: await render(letter),
        text: await render(letter, { plainText: true }),
      });
      results.sent++;
    } catch (error) {
      results.unsent++;
      log.error(
        { projectId, userId: reader.id, kind, code: errorCode(error) },
        "A member could not be told.",
      );
    }
  }
  return results;
}
