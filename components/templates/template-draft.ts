import type { EmailContent } from "@/components/mail-editor/content-editor";
import type { Template, TemplateVersion } from "@/lib/domain/templates/schema";
import type { EmailDesign } from "@/lib/mail/design/schema";

/** A template as it is written. */
export interface TemplateDraft extends EmailContent {
  name: string;
  subject: string;
}

export const draftOf = ({
  name,
  subject,
  body,
  design,
}: Template | TemplateVersion): TemplateDraft => ({
  name,
  subject,
  body,
  design: design as EmailDesign | null,
});

/** The server makes the HTML of a design itself. */
export const withoutMadeHtml = <Part extends Partial<TemplateDraft>>(part: Part) => {
  const { body: _made, ...rest } = part;
  return part.design ? rest : part;
};
