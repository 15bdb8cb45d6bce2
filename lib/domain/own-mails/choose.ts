import { and, eq } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { templates } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { invalid, noSuch } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { contactVariables } from "@/lib/mail/content/variables";
import { faultOf, renderOwnMail, type OwnTemplate } from "./render";
import { confirmLink } from "./schema";

const fields = ["confirmationTemplateId", "welcomeTemplateId"] as const;
type Field = (typeof fields)[number];

const sampleUrl = "https://example.com/confirm/sample";
const sampleUrls = {
  unsubscribeUrl: "https://example.com/unsubscribe",
  preferencesUrl: "https://example.com/preferences",
  viewUrl: "https://example.com/view",
};
const nobody = { email: "ada@example.com", firstName: "", lastName: "", tags: [], data: {} };
/** Of people who sign up by a form, only the address is known. */
const samplePeople = [nobody, { ...nobody, firstName: "Ada", lastName: "Lovelace" }];

/** What keeps a template from asking people to confirm, in words; null: nothing. */
export async function confirmationFault(
  projectId: string,
  template: OwnTemplate,
): Promise<string | null> {
  for (const person of samplePeople) {
    const variables = {
      ...contactVariables(person, null),
      ...{ ...sampleUrls, confirmUrl: sampleUrl, listName: "News", projectName: "Example" },
    };
    try {
      await renderOwnMail(projectId, template, variables, sampleUrl);
    } catch (error) {
      return faultOf(error);
    }
  }
  return null;
}

async function chooseTemplate(
  tx: Transaction,
  { projectId }: Context,
  field: Field,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null;
  const uuid = decodeId("template", id);
  const [template] = uuid
    ? await tx
        .select({ id: templates.id, subject: templates.subject, body: templates.body })
        .from(templates)
        .where(and(eq(templates.projectId, projectId), eq(templates.id, uuid)))
        .for("key share")
    : [];
  if (!template) throw noSuch(field, "template");
  if (field === "confirmationTemplateId") {
    const fault = await confirmationFault(projectId, template);
    if (fault !== null) {
      throw invalid(
        field,
        fault.includes(confirmLink)
          ? `names a template without a link to ${confirmLink}: people could not confirm`
          : `names a template that cannot be used: its content ${fault}`,
      );
    }
  }
  return template.id;
}

/**
 * The columns of the templates that an input names, which are locked against changes and deletion. Throws NOT_FOUND
 * when the project has no such template, VALIDATION_ERROR for a confirmation without its link.
 */
export async function chooseTemplates<
  Input extends { [Name in Field]?: string | null | undefined },
>(
  tx: Transaction,
  ctx: Context,
  input: Input,
): Promise<{ [Name in Field & keyof Input]?: string | null }> {
  const chosen: { [Name in Field]?: string | null } = {};
  for (const field of fields) {
    const id = input[field];
    if (id !== undefined) chosen[field] = await chooseTemplate(tx, ctx, field, id);
  }
  return chosen;
}
