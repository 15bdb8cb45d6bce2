import { and, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { lists, projects, templates } from "@/db/schema";
import { variantPath, variantsOf, type VariantContent } from "@/lib/domain/ab-tests/settings";
import { notFound } from "@/lib/ground/errors";
import { postalAddress } from "@/lib/mail/content/postal-address";
import type { CampaignRow } from "./readiness";

/** One message of a campaign, and where its parts stand in the campaign's input. */
export interface CampaignMail {
  content: VariantContent;
  paths: Record<"subject" | "previewText" | "body" | "text", string>;
}

/** What a campaign says, variant by variant, its template read. Parts that are missing are empty. */
export async function mailsOf(executor: Executor, row: CampaignRow): Promise<CampaignMail[]> {
  let { html, text } = row;
  if (row.templateId !== null) {
    const [template] = await executor
      .select({ body: templates.body })
      .from(templates)
      .where(and(eq(templates.projectId, row.projectId), eq(templates.id, row.templateId)));
    [html, text] = [template?.body ?? "", null];
  }
  return variantsOf({ ...row, html, text }).map((content, index) => {
    const variant = row.abTest?.variants[index];
    const at = (isOwn: boolean, name: string) => (isOwn ? `${variantPath(index)}${name}` : name);
    const shared = row.templateId === null ? "body" : "templateId";
    return {
      content,
      paths: {
        subject: at(variant !== undefined, "subject"),
        previewText: at(variant?.previewText !== undefined, "previewText"),
        body: variant?.html === undefined ? shared : at(true, "body"),
        text: "text",
      },
    };
  });
}

/** What the footer of a campaign's mail says about its sender. */
export interface CampaignSender {
  /** The list's postal address, else the project's; empty where there is none. */
  address: string;
  project: { name: string; mailReason: string; language: string };
  list: { id: string; name: string } | null;
}

export async function senderOf(executor: Executor, row: CampaignRow): Promise<CampaignSender> {
  const [sender] = await executor
    .select({
      own: projects.postalAddress,
      project: {
        name: projects.name,
        mailReason: projects.mailReason,
        language: projects.language,
      },
      list: { id: lists.id, name: lists.name, contact: lists.contact },
    })
    .from(projects)
    .leftJoin(
      lists,
      row.listId === null
        ? sql`false`
        : and(eq(lists.projectId, projects.id), eq(lists.id, row.listId)),
    )
    .where(eq(projects.id, row.projectId));
  if (!sender) throw notFound();
  const { own, project, list } = sender;
  return { project, list, address: postalAddress(list?.contact ?? {}).join("\n") || own.trim() };
}
