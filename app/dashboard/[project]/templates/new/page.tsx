import type { Metadata } from "next";
import { z } from "zod";
import { branded } from "@/components/mail-editor/branded";
import { starters } from "@/components/mail-editor/starters";
import { TemplateEditor } from "@/components/templates/template-editor";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import type { Context } from "@/lib/ground/context";
import { t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../../../search-params";
import { openProject } from "../../../session";
import { senderDomains } from "../sender-domains";

export function generateMetadata(): Metadata {
  return { title: t("New template") };
}

const newTemplateQuery = z.strictObject({ begin: z.string().max(50).optional() });

/** The gallery's design of that id, in the look of the project's brand; null: none. */
async function beginning(context: Context, id: string | undefined) {
  const starter = starters.find((other) => other.id === id);
  if (!starter) return null;
  const { brand } = await getProjectSettings(context);
  return brand ? { ...starter, design: branded(starter.design, brand) } : starter;
}

export default async function NewTemplatePage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { context } = await openProject((await params).project);
  const { begin } = await readQuery(newTemplateQuery, searchParams);
  const [beginsWith, domains] = await Promise.all([
    beginning(context, begin),
    senderDomains(context),
  ]);
  return <TemplateEditor initial={null} begin={beginsWith} domains={domains} />;
}
