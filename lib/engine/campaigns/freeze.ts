import { and, eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { domains, messages, templates } from "@/db/schema";
import { findProblem, type CampaignRow } from "@/lib/domain/campaigns/readiness";
import { variantPath, variantsOf, type VariantContent } from "@/lib/domain/ab-tests/settings";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import { domainOf } from "@/lib/mail/address";
import { checkContent } from "@/lib/mail/content/rendering";
import { AppError } from "@/lib/ground/errors";
import { newId } from "@/lib/ground/ids/ids";

/**
 * Stores the content of the campaign's mail once for all recipients of each variant, so that later changes to its
 * template do not affect it. Resolves to the messages' uuids in the order of the variants; just one without an A/B
 * test. Before writing anything, throws whatever keeps it from being sent (see findProblem, and VALIDATION_ERROR
 * for Liquid that does not parse).
 */
export async function freezeContent(executor: Executor, campaign: CampaignRow): Promise<string[]> {
  const problem = await findProblem(executor, campaign);
  if (problem) throw problem;
  const contents = variantsOf({ ...campaign, ...(await contentOf(executor, campaign)) });
  for (const [index, content] of contents.entries()) {
    await checkContent(campaign.projectId, content, campaign.abTest ? variantPath(index) : "");
  }
  const domainId = await senderDomain(executor, campaign);
  const ids: string[] = [];
  for (const content of contents) ids.push(await freeze(executor, campaign, domainId, content));
  return ids;
}

async function freeze(
  executor: Executor,
  campaign: CampaignRow,
  domainId: string,
  { subject, previewText, fromName, html, text }: VariantContent,
): Promise<string> {
  const [message] = await executor
    .insert(messages)
    .values({
      id: newId(campaign.projectId),
      projectId: campaign.projectId,
      campaignId: campaign.id,
      domainId,
      fromEmail: campaign.fromEmail,
      fromName,
      replyTo: campaign.replyTo,
      subject,
      previewText: previewText || null,
      utm: campaign.utm,
      templateId: campaign.templateId,
      trackOpens: campaign.trackOpens,
      trackClicks: campaign.trackClicks,
      test: campaign.test,
      html,
      text,
    })
    .returning({ id: messages.id });
  if (!message) throw new Error("An insert returned no row.");
  return message.id;
}

async function contentOf(
  executor: Executor,
  { projectId, templateId, html, text }: CampaignRow,
): Promise<{ html: string | null; text: string | null }> {
  if (templateId === null) return { html, text };
  const [template] = await executor
    .select({ body: templates.body })
    .from(templates)
    .where(and(eq(templates.projectId, projectId), eq(templates.id, templateId)));
  if (!template)
    throw new AppError("CONFLICT", inEnglish("The campaign's template no longer exists."));
  return { html: template.body, text: null };
}

async function senderDomain(executor: Executor, campaign: CampaignRow): Promise<string> {
  const name = domainOf(campaign.fromEmail);
  const [domain] = await executor
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.projectId, campaign.projectId), eq(domains.name, name)));
  if (!domain) {
    throw new AppError(
      "DOMAIN_NOT_VERIFIED",
      inEnglish("The sender domain {name} no longer exists.", { name }),
    );
  }
  return domain.id;
}
