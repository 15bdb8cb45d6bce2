import { z } from "zod";
import { basedOn } from "@/lib/ground/updates/schema";
import { bodyText } from "@/lib/mail/body-schema";
import { designInput, designOutput } from "@/lib/mail/design/field";
import { variables } from "@/lib/domain/emails/schema";
import { largestSubject } from "@/lib/domain/emails/terms";

const name = z.string().trim().min(1, "is required").max(200).meta({ example: "Welcome" });
const subject = z
  .string()
  .trim()
  .min(1, "is required")
  .max(largestSubject, `is longer than ${largestSubject} characters`)
  .regex(/^[^\r\n]*$/, "must not contain line breaks (CR, LF)")
  .meta({ description: "Liquid.", example: "Welcome, {{ firstName | default: 'friend' }}" });
const body = bodyText
  .min(1, "is required")
  .meta({ description: "HTML with Liquid.", example: "<p>Hello {{ firstName }}</p>" });

const design = designInput.meta({
  description:
    "The visual editor's document. The body is made from it, whatever `body` says in the same request. A new body given without it removes it.",
});
const keptDesign = designOutput.meta({
  description:
    "The visual editor's document that the body was made from; null when it was written as HTML.",
});

export const templateInput = z
  .strictObject({ name, subject, body, design })
  .meta({ id: "TemplateInput" });
export type TemplateInput = z.infer<typeof templateInput>;

export const templateReplacement = templateInput
  .extend({ basedOn })
  .meta({ id: "TemplateReplacement" });

export const templateUpdate = templateInput
  .partial()
  .extend({ basedOn })
  .meta({ id: "TemplateUpdate", description: "Only the given fields change." });
export type TemplateUpdate = z.infer<typeof templateUpdate>;

const summaryShape = {
  id: z.string().meta({ example: "tpl_01kat4rz8sfq3v6d1mpx3k6w9j" }),
  name: z.string(),
  subject: z.string(),
  version: z.int().meta({ description: "Starts at 1 and goes up with each change." }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const templateSummary = z.object(summaryShape).meta({ id: "TemplateSummary" });
export type TemplateSummary = z.infer<typeof templateSummary>;

export const template = z
  .object({ ...summaryShape, body: z.string(), design: keptDesign })
  .meta({ id: "Template" });
export type Template = z.infer<typeof template>;

export const templateVersion = z
  .object({
    version: z.int(),
    name: z.string(),
    subject: z.string(),
    body: z.string(),
    design: keptDesign,
    createdAt: z.iso.datetime().meta({ description: "When this version was saved." }),
  })
  .meta({ id: "TemplateVersion" });
export type TemplateVersion = z.infer<typeof templateVersion>;

/** By what the list can be sorted: what has an index. A minus sign: from the last to the first. */
const templateSorts = ["-createdAt", "name", "-name", "updatedAt", "-updatedAt"] as const;

export const templateQuery = z.strictObject({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
  search: z.string().trim().max(200).optional().meta({ description: "Part of the name." }),
  sort: z
    .enum(templateSorts)
    .optional()
    .meta({ description: "If absent, `-createdAt`: newest first." }),
});
export type TemplateQuery = z.infer<typeof templateQuery>;

export const templatePage = z
  .object({
    data: z.array(templateSummary),
    page: z.int(),
    pageSize: z.int(),
    total: z.int(),
    totalPages: z.int(),
  })
  .meta({ id: "TemplatePage" });
export type TemplatePage = z.infer<typeof templatePage>;

const variablesDescription = "Variables, at most 1 MB of JSON.";

export const renderInput = z
  .strictObject({ data: variables.optional().meta({ description: variablesDescription }) })
  .meta({ id: "TemplateRenderRequest" });

/** Content that need not be finished: an editor shows it while it is being written. */
export const previewInput = z
  .strictObject({
    subject: bodyText.default("").meta({ description: "Liquid.", example: "Hello {{ name }}" }),
    body: bodyText.default("").meta({ description: "HTML with Liquid." }),
    data: variables.optional().meta({ description: variablesDescription }),
  })
  .meta({ id: "TemplatePreviewRequest" });
export type PreviewInput = z.output<typeof previewInput>;

export const renderedTemplate = z
  .object({ subject: z.string(), html: z.string(), text: z.string() })
  .meta({ id: "RenderedTemplate" });
export type RenderedTemplate = z.infer<typeof renderedTemplate>;
