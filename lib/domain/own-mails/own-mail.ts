import { and, eq } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { templates } from "@/db/schema";
import { noteTeamLetter } from "@/lib/domain/team-letters/note";
import { faultOf, renderOwnMail, type OwnMail } from "./render";

/** A mail that a list or form can write itself. */
export interface OwnMailOf {
  projectId: string;
  place: "list" | "form";
  /** uuid of the list or form. */
  id: string;
  name: string;
  mail: "confirmation" | "welcome";
  /** uuid; null: none was chosen. */
  templateId: string | null;
}

/** Renders a project's template (uuid) for one person; what is wrong with it, where it cannot be used. */
export async function renderTemplate(
  executor: Executor,
  projectId: string,
  templateId: string,
  variables: Record<string, unknown>,
  confirmUrl: string | null,
): Promise<{ own: OwnMail } | { fault: string; version: number | null }> {
  const [template] = await executor
    .select({
      id: templates.id,
      name: templates.name,
      subject: templates.subject,
      body: templates.body,
      version: templates.version,
    })
    .from(templates)
    .where(and(eq(templates.projectId, projectId), eq(templates.id, templateId)));
  if (!template) return { fault: "The template no longer exists.", version: null };
  const { name, version } = template;
  try {
    return { own: await renderOwnMail(projectId, template, variables, confirmUrl) };
  } catch (error) {
    return { fault: `The template “${name}” ${faultOf(error)}.`, version };
  }
}

/**
 * The project's own mail for one person. null: ours goes out, because no template was chosen, or the one that was
 * cannot be used: the team is then told, once for each version of the template.
 */
export async function ownMail(
  tx: Transaction,
  { projectId, place, id, name, mail, templateId }: OwnMailOf,
  variables: Record<string, unknown>,
  confirmUrl: string | null,
): Promise<OwnMail | null> {
  if (templateId === null) return null;
  const made = await renderTemplate(tx, projectId, templateId, variables, confirmUrl);
  if ("own" in made) return made.own;
  await noteTeamLetter(
    tx,
    projectId,
    "mailReplaced",
    { subject: place, subjectId: id, name, mail, reason: made.fault },
    `${id}.${mail}.${templateId}.${made.version ?? "gone"}`,
  );
  return null;
}
