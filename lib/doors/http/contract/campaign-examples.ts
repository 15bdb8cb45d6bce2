import { eq } from "drizzle-orm";
import { campaigns } from "@/db/schema";
import { createReportLink } from "@/lib/domain/campaign-reports/links";
import { createCampaign, updateCampaign } from "@/lib/domain/campaigns/campaigns";
import { pauseCampaign, scheduleCampaign, sendCampaign } from "@/lib/domain/campaigns/transitions";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { deleteTemplate } from "@/lib/domain/templates/delete";
import { createTemplate } from "@/lib/domain/templates/templates";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { systemContext } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import type { TestProject } from "@/lib/testing";
import { anyContact } from "./contact-examples";
import { nextNumber, nothing, paging, tomorrow, type Example } from "./example";

const templateInput = () => ({
  name: "Welcome",
  subject: "Hello {{ firstName }}",
  body: "<p>Hi</p>",
});
const anyTemplate = async ({ ctx }: TestProject) => (await createTemplate(ctx, templateInput())).id;
async function deletedTemplate(project: TestProject): Promise<string> {
  const id = await anyTemplate(project);
  await deleteTemplate(project.ctx, id);
  return id;
}

const campaignInput = () => ({
  name: "News",
  subject: "News",
  from: "news@sandbox.test",
  body: "<p>Hello</p>",
});
const anyCampaign = async ({ ctx }: TestProject) => (await createCampaign(ctx, campaignInput())).id;
async function sendingCampaign(project: TestProject): Promise<string> {
  const id = await anyCampaign(project);
  await sendCampaign(project.ctx, id, {});
  return id;
}

/** One whose A/B test is going out to somebody. */
async function testedCampaign(project: TestProject): Promise<string> {
  await upsertContact(project.ctx, {
    email: `delivered+${nextNumber()}@sandbox.test`,
    unsubscribed: false,
  });
  const variants = [{ subject: "Hello" }, { subject: "Good morning" }];
  const { id } = await createCampaign(project.ctx, { ...campaignInput(), abTest: { variants } });
  await sendCampaign(project.ctx, id, {});
  const { db } = project.ctx;
  const uuid = decodeId("campaign", id) ?? "";
  for (let step = 0; step < 10; step++) {
    // Before whatever else is due: all that other examples have started takes long.
    const [row] = await db
      .update(campaigns)
      .set({ dueAt: new Date(0) })
      .where(eq(campaigns.id, uuid))
      .returning({ begun: campaigns.variantMessageIds });
    if (row?.begun) return id;
    const one = new AbortController();
    const taken = advanceCampaigns(db, one.signal);
    one.abort();
    await taken;
  }
  throw new Error("The campaign's test does not begin.");
}

async function anyReportLink(project: TestProject) {
  const id = await anyCampaign(project);
  const link = await createReportLink(project.ctx, id, { name: "For the board" });
  return { id, linkId: link.id };
}

/** One that another has followed: somebody else has written on. */
async function firstVersion(project: TestProject) {
  const id = await anyCampaign({
    ...project,
    ctx: systemContext(project.ctx.db, project.projectId),
  });
  await updateCampaign(project.ctx, id, { subject: "Other news" });
  return { id, version: "1" };
}

const template = { id: anyTemplate, unknownId: encodeId("template", nothing) };
const campaign = { id: anyCampaign, unknownId: encodeId("campaign", nothing) };

export const campaignExamples: Record<string, Example> = {
  listTemplates: { query: { page: "1", pageSize: "5" } },
  createTemplate: { body: templateInput },
  previewTemplate: { body: () => ({ subject: "Hello {{ name }}", body: "<p>Hi</p>" }) },
  getTemplate: template,
  replaceTemplate: { ...template, body: templateInput },
  updateTemplate: { ...template, body: () => ({ name: "Another name" }) },
  deleteTemplate: template,
  restoreTemplate: { ...template, id: deletedTemplate },
  renderTemplate: { ...template, body: () => ({ data: { firstName: "Ada" } }) },
  listTemplateVersions: template,
  testTemplate: {
    body: () => ({
      to: `delivered+${nextNumber()}@sandbox.test`,
      from: "hello@sandbox.test",
      subject: "Hello",
      body: "<p>Hello</p>",
    }),
  },
  readTemplateDraft: template,
  keepTemplateDraft: {
    ...template,
    body: () => ({ changes: { subject: "Half a subj" }, fromVersion: 1 }),
  },
  forgetTemplateDraft: template,
  tellTemplatePresence: { ...template, body: () => ({ tab: "a1" }) },
  listCampaigns: { ...paging, wrongQuery: [...paging.wrongQuery, { status: "draft" }] },
  getCampaignCalendar: { query: { month: "2026-11" } },
  createCampaign: { body: campaignInput },
  estimateAudience: { body: () => ({}) },
  getCampaign: campaign,
  preflightCampaign: campaign,
  updateCampaign: { ...campaign, body: () => ({ name: "Another name" }) },
  putCampaign: { ...campaign, body: campaignInput },
  deleteCampaign: campaign,
  sendCampaign: { ...campaign, body: () => ({}) },
  scheduleCampaign: { ...campaign, body: () => ({ scheduledAt: tomorrow() }) },
  unscheduleCampaign: {
    ...campaign,
    async id(project) {
      const id = await anyCampaign(project);
      await scheduleCampaign(project.ctx, id, { scheduledAt: tomorrow() });
      return id;
    },
  },
  pauseCampaign: { ...campaign, id: sendingCampaign },
  resumeCampaign: {
    ...campaign,
    body: () => ({ acknowledge: true }),
    async id(project) {
      const id = await sendingCampaign(project);
      await pauseCampaign(project.ctx, id);
      return id;
    },
  },
  cancelCampaign: campaign,
  chooseWinner: { ...campaign, id: testedCampaign, body: () => ({ variant: "B" }) },
  duplicateCampaign: campaign,
  tellCampaignPresence: { ...campaign, body: () => ({ tab: "a1" }) },
  followUpCampaign: {
    ...campaign,
    id: sendingCampaign,
    body: () => ({ audience: "not_opened" }),
  },
  testCampaign: { ...campaign, body: () => ({ to: `delivered+${nextNumber()}@sandbox.test` }) },
  explainRecipient: {
    ...campaign,
    id: async (project) => ({ id: await anyCampaign(project), contact: await anyContact(project) }),
  },
  getCampaignProgress: campaign,
  getCampaignActivity: campaign,
  getCampaignBreakdown: campaign,
  getCampaignSpread: campaign,
  compareCampaigns: campaign,
  listReportLinks: campaign,
  createReportLink: { ...campaign, body: () => ({ name: "For the board" }) },
  listCampaignVersions: campaign,
  getCampaignVersion: { ...campaign, id: firstVersion },
  restoreCampaignVersion: { ...campaign, id: firstVersion, body: () => ({}) },
  deleteReportLink: { ...campaign, id: anyReportLink },
};
