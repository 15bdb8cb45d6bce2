import { and, asc, eq } from "drizzle-orm";
import type { ReactElement } from "react";
import { render } from "react-email";
import type { Database } from "@/db/client";
import { memberships, projects, users } from "@/db/schema";
import { errorCode } from "@/db/errors";
import { log } from "@/lib/ground/log";
import { textsFor, type Texts } from "@/lib/ground/texts/texts";
import { sendPlatformMail } from "./platform-mail";

/** Mails each owner of a project a letter in its language. One mail that does not leave stops no other. */
export async function mailOwners(
  db: Database,
  projectId: string,
  compose: (project: string, texts: Texts) => { subject: string; letter: ReactElement },
): Promise<void> {
  const owners = await db
    .select({ id: users.id, email: users.email, name: users.name, project: projects })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(and(eq(memberships.projectId, projectId), eq(memberships.role, "owner")))
    .orderBy(asc(users.id));
  for (const owner of owners) {
    const { name, language } = owner.project;
    const { subject, letter } = compose(name, textsFor(language));
    try {
      await sendPlatformMail(db, owner, {
        subject,
        html: await render(letter),
        text: await render(letter, { plainText: true }),
      });
    } catch (error) {
      log.error(
        { projectId, userId: owner.id, subject, code: errorCode(error) },
        "An owner could not be told.",
      );
    }
  }
}
