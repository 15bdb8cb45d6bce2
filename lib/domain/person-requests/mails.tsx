import { and, asc, eq, sql } from "drizzle-orm";
import { render } from "react-email";
import type { Database } from "@/db/client";
import { domains, projects } from "@/db/schema";
import { Letter } from "@/emails/letter";
import { ListFoot } from "@/emails/list-footer";
import { sendDirectMail } from "@/lib/domain/direct-mail/send";
import { letterLook } from "@/lib/mail/design/letter-look";
import { baseUrlOf, mailUrls } from "@/lib/mail/tracking/urls";
import { textsFor } from "@/lib/ground/texts/texts";

/** The verified domain that a project's own mail comes from, the built-in one last. */
async function findSender(db: Database, projectId: string) {
  const [sender] = await db
    .select({
      name: domains.name,
      selector: domains.selector,
      dkimPrivateKeySealed: domains.dkimPrivateKeySealed,
      trackingHost: sql<
        string | null
      >`case when ${domains.trackingSince} is not null then ${domains.trackingHost} end`,
    })
    .from(domains)
    .where(and(eq(domains.projectId, projectId), eq(domains.status, "VERIFIED")))
    .orderBy(asc(domains.builtIn), asc(domains.id))
    .limit(1);
  return sender ?? null;
}

/**
 * Mails a person their own link, or tells them what was changed. It bypasses the queue for two reasons: it does not
 * belong in a log that members read, and a new address is nobody's contact before it is confirmed. Throws when the
 * mail server does not accept it.
 */
export async function mailPerson(
  db: Database,
  projectId: string,
  to: string,
  mail: {
    kind: "address" | "download" | "erase" | "moved";
    /** Its link, under the host of the domain that the mail comes from. */
    link: (urls: ReturnType<typeof mailUrls>) => string;
    /** The languages to choose from, the most wanted first. */
    languages: readonly (string | null)[];
  },
): Promise<void> {
  const [project] = await db.select().from(projects).where(eq(projects.id, projectId));
  if (!project) return;
  const { kind, link, languages } = mail;
  const sender = await findSender(db, projectId);
  const url = link(mailUrls(baseUrlOf(sender?.trackingHost ?? null)));
  const { text, language, dir } = textsFor(...languages, project.language);
  const values = { project: project.name, email: to };
  const subject = text(`mail.${kind}.subject`);
  const letter = (
    <Letter
      {...{ language, dir }}
      brand={project.name}
      look={letterLook(project.brand)}
      title={subject}
      preview={subject}
      text={text(`mail.${kind}.text`, values)}
      action={{ label: text(`mail.${kind}.button`), url, hint: text("mail.copyLink") }}
      foot={
        <ListFoot
          reason={text(kind === "moved" ? "mail.moved.foot" : "mail.request.foot", values)}
          sender={project.postalAddress.split("\n").filter((line) => line.trim())}
        />
      }
    />
  );
  await sendDirectMail(
    db,
    {
      fromName: project.name,
      to: { name: "", address: to },
      subject,
      html: await render(letter),
      text: await render(letter, { plainText: true }),
    },
    {
      sender,
      mailbox: () => Promise.resolve({ projectId, readerUserId: null }),
      patient: true,
    },
  );
}
