import { Readable } from "node:stream";
import { capturedEmails, senderPauses } from "@/db/schema";
import { createInboundRoute } from "@/lib/domain/inbound/routes";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { scheduleCampaign, pauseCampaign, sendCampaign } from "@/lib/domain/campaigns/transitions";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { startImport } from "@/lib/domain/imports/imports";
import { takeOverImports } from "@/lib/engine/imports/apply-rows";
import { createSegment } from "@/lib/domain/segments/segments";
import { addSuppression } from "@/lib/domain/suppressions/suppressions";
import { createForm, deleteForm, listForms } from "@/lib/domain/forms/forms";
import { createTopic, deleteTopic, listTopics } from "@/lib/domain/topics/topics";
import { createTemplate } from "@/lib/domain/templates/templates";
import type { TestProject } from "@/lib/testing";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { doors } from "./doors";
import { inboundExamples } from "./inbound-examples";
import { sessionExamples } from "./session-examples";
import { testWebhook } from "@/lib/engine/webhooks/test-call";

/** The ids that a path names, by their parameters' names. */
export type PathIds = Readonly<Record<string, string>> & { id: string };

/** What makes a request to an operation succeed. */
export interface Example {
  /** Makes what the path names, in a project; gives its wire id, or all of the path's where it has several. */
  id?: (project: TestProject) => Promise<string | PathIds>;
  /** A wire id of the right kind that nothing has. */
  unknownId?: string;
  /** A body that is taken as often as it is sent; it may name what `id` has made. */
  body?: (ids: PathIds) => unknown;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** Values that a parameter's schema lets through and the operation refuses. */
  wrongQuery?: Record<string, string>[];
}

/** The ids of a path that an example makes. */
export async function pathIds({ id }: Example, project: TestProject): Promise<PathIds> {
  const example = await id?.(project);
  return typeof example === "object" ? example : { id: example ?? "" };
}

/** A path with these ids in it. */
export const pathWith = (path: string, ids: PathIds): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "nonsense");

const nothing = "01890000-0000-7000-8000-000000000000";
let createdSoFar = 0;

const message = () => ({
  to: `delivered+${++createdSoFar}@sandbox.test`,
  from: "hello@sandbox.test",
  subject: "Hello",
  body: "<p>Hello</p>",
});

/** An email that waits until tomorrow: it can be read, moved and cancelled. */
async function waitingEmail(project: TestProject, more: object = {}): Promise<string> {
  const scheduledAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const answer = await doors.hono({
    method: "POST",
    path: "/v1/send",
    headers: { authorization: `Bearer ${project.apiKey}` },
    body: { ...message(), scheduledAt, ...more },
  });
  const { data } = answer.body as { data: { emails: [{ email: string }] } };
  return data.emails[0].email;
}

const anyKey = async ({ ctx }: TestProject) =>
  (await createApiKey(ctx, { name: "To be revoked", scope: "full", mode: "live" })).id;

const anyDomain = async ({ ctx }: TestProject) =>
  (await createDomain(ctx, { name: `made-${++createdSoFar}.example.com` })).id;

/** A message that was handed over to the mailbox instead of a mail server. */
async function anyCaptured({ ctx, projectId }: TestProject): Promise<string> {
  const [row] = await ctx.db
    .insert(capturedEmails)
    .values({
      id: newId(projectId),
      projectId,
      envelopeFrom: "b@bounces.sandbox.test",
      envelopeTo: "delivered@sandbox.test",
      raw: Buffer.from(
        'From: hello@sandbox.test\r\nSubject: Hello\r\nContent-Disposition: attachment; filename="a.bin"\r\n' +
          "Content-Type: application/octet-stream\r\n\r\nHello\r\n",
      ),
    })
    .returning({ id: capturedEmails.id });
  if (!row) throw new Error("An insert returned no row.");
  return encodeId("capture", row.id);
}

const templateInput = () => ({
  name: "Welcome",
  subject: "Hello {{ firstName }}",
  body: "<p>Hi</p>",
});
const anyTemplate = async ({ ctx }: TestProject) => (await createTemplate(ctx, templateInput())).id;

const csv = () => `email,plan\nc${++createdSoFar}@example.com,pro\nnobody,pro\n`;

const anyContact = async ({ ctx }: TestProject) =>
  (await upsertContact(ctx, { email: `c${++createdSoFar}@example.com` })).contact.id;

/** What earlier calls started is taken over first: a project has ten imports under way at most. */
async function anyImport({ ctx }: TestProject): Promise<string> {
  await takeOverImports(ctx.db, { signal: new AbortController().signal });
  return (await startImport(ctx, { file: Readable.from([Buffer.from(csv())]) })).id;
}

const segmentInput = () => ({
  name: "Pro",
  filter: { and: [{ field: "data.plan", op: "eq" as const, value: "pro" }] },
});
const anySegment = async ({ ctx }: TestProject) => (await createSegment(ctx, segmentInput())).id;

const campaignInput = () => ({
  name: "News",
  subject: "News",
  from: "news@sandbox.test",
  body: "<p>Hello</p>",
});
const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString();
const anyCampaign = async ({ ctx }: TestProject) => (await createCampaign(ctx, campaignInput())).id;
async function sendingCampaign(project: TestProject): Promise<string> {
  const id = await anyCampaign(project);
  await sendCampaign(project.ctx, id, {});
  return id;
}

/** One whose A/B test is going out: somebody gets it. */
async function testedCampaign(project: TestProject): Promise<string> {
  await upsertContact(project.ctx, {
    email: `delivered+${++createdSoFar}@sandbox.test`,
    unsubscribed: false,
  });
  const variants = [{ subject: "Hello" }, { subject: "Good morning" }];
  const { id } = await createCampaign(project.ctx, { ...campaignInput(), abTest: { variants } });
  await sendCampaign(project.ctx, id, {});
  await advanceCampaigns(project.ctx.db, AbortSignal.timeout(30_000));
  return id;
}

const contact = { id: anyContact, unknownId: encodeId("contact", nothing) };
const contactImport = { id: anyImport, unknownId: encodeId("import", nothing) };
async function anyInboundRoute(project: TestProject): Promise<string> {
  const webhookId = await anyWebhook(project);
  const pattern = `made+${++createdSoFar}@`;
  return (await createInboundRoute(project.ctx, { pattern, webhookId })).id;
}

const webhookInput = () => ({ url: "https://example.com/hooks", events: ["email.sent"] });

const anyWebhook = async ({ ctx }: TestProject) =>
  (await createWebhook(ctx, { url: "https://example.com/hooks", events: ["*"] })).id;

/** Its address refuses at once: nothing is called outside. */
const anyDelivery = async ({ ctx }: TestProject) => {
  const webhookId = (await createWebhook(ctx, { url: "http://127.0.0.1:9/", events: ["*"] })).id;
  return { webhookId, id: (await testWebhook(ctx, webhookId, {})).id };
};

const webhook = { id: anyWebhook, unknownId: encodeId("webhook", nothing) };
const webhookDelivery = { id: anyDelivery, unknownId: encodeId("delivery", nothing) };
const segment = { id: anySegment, unknownId: encodeId("segment", nothing) };
const template = { id: anyTemplate, unknownId: encodeId("template", nothing) };
const attachments = [{ filename: "a.txt", content: "SGVsbG8=" }];
const emailWithFile = (project: TestProject) => waitingEmail(project, { attachments });
const email = {
  id: (project: TestProject) => waitingEmail(project),
  unknownId: encodeId("email", nothing),
};
/** A project has a bounded number of topics, and each test asks for one of its own. */
async function anyTopic({ ctx }: TestProject): Promise<string> {
  const { data } = await listTopics(ctx);
  for (const { id } of data) await deleteTopic(ctx, id);
  return (await createTopic(ctx, { name: `Topic ${++createdSoFar}` })).id;
}

const topic = {
  id: anyTopic,
  unknownId: encodeId("topic", nothing),
};
/** A project has a bounded number of forms, too. */
async function anyForm({ ctx }: TestProject): Promise<string> {
  const { data } = await listForms(ctx, { limit: 100 });
  for (const { id } of data) await deleteForm(ctx, id);
  return (await createForm(ctx, { name: `Form ${++createdSoFar}` })).id;
}

const form = { id: anyForm, unknownId: encodeId("form", nothing) };
const captured = { id: anyCaptured, unknownId: encodeId("capture", nothing) };
const apiKey = { id: anyKey, unknownId: encodeId("apiKey", nothing) };
const domain = { id: anyDomain, unknownId: encodeId("domain", nothing) };
const campaign = { id: anyCampaign, unknownId: encodeId("campaign", nothing) };
/** Its path names an address. */
const suppressed = {
  id: async ({ ctx }: TestProject) => {
    const { suppression } = await addSuppression(ctx, {
      email: `suppressed${++createdSoFar}@example.com`,
    });
    return { id: suppression.email, email: suppression.email };
  },
  unknownId: "unknown@example.com",
};
const paging = { query: { limit: "5" }, wrongQuery: [{ cursor: "bm90IGEgY3Vyc29y" }] };

/** By operationId. An operation that is missing here fails the contract tests. */
export const examples: Record<string, Example> = {
  sendEmail: { body: message },
  sendBatch: { body: () => ({ emails: [message(), message()] }) },
  listEmails: paging,
  getEmail: email,
  rescheduleEmail: {
    ...email,
    body: () => ({ scheduledAt: new Date(Date.now() + 48 * 3_600_000).toISOString() }),
  },
  cancelEmail: email,
  getEmailContent: email,
  getEmailAttachment: { ...email, id: emailWithFile, query: { position: "0" } },
  getCapturedAttachment: { ...captured, query: { position: "0" } },
  listCapturedEmails: paging,
  getCapturedEmail: captured,
  clearCapturedEmails: {},
  find: { query: { text: "ada" } },
  importContacts: { body: csv, headers: { "content-type": "text/csv" } },
  listImports: paging,
  getImport: contactImport,
  exportRefusedRows: contactImport,
  cancelImport: contactImport,
  upsertContact: {
    body: () => ({ email: `c${++createdSoFar}@example.com`, data: { plan: "pro" } }),
  },
  upsertContacts: { body: () => ({ contacts: [{ email: `c${++createdSoFar}@example.com` }] }) },
  listContacts: paging,
  exportContacts: { query: { tag: "vip" }, wrongQuery: [{ columns: "password" }] },
  getContact: contact,
  listSubscriptionChanges: { ...contact, query: { limit: "5" } },
  exportSubscriptionChanges: {},
  getDepartures: { query: { startDate: "2026-01-01" }, wrongQuery: [{ startDate: "soon" }] },
  exportContact: contact,
  getEngagement: contact,
  updateContact: { ...contact, body: () => ({ firstName: "Grace" }) },
  putContact: { ...contact, body: () => ({ firstName: "Grace" }) },
  deleteContact: contact,
  listEvents: {
    query: { limit: "5", types: "email.bounced,contact.created" },
    wrongQuery: [{ after: "bm90IGEgY3Vyc29y" }, { types: "email.sunk" }, { limit: "501" }],
  },
  listSuppressions: paging,
  addSuppression: { body: () => ({ email: "nobody@example.com" }) },
  importSuppressions: { body: csv, headers: { "content-type": "text/csv" } },
  exportSuppressions: { query: { reason: "manual" }, wrongQuery: [{ reason: "mood" }] },
  getSuppression: suppressed,
  liftSuppression: suppressed,
  listSegments: paging,
  createSegment: { body: segmentInput },
  previewSegment: { body: () => ({ filter: segmentInput().filter }) },
  suggestSegmentFields: {},
  suggestSunset: {},
  getSegment: segment,
  updateSegment: { ...segment, body: () => ({ name: "Another name" }) },
  putSegment: { ...segment, body: segmentInput },
  deleteSegment: segment,
  listSegmentContacts: { ...segment, ...paging },
  listCampaigns: { ...paging, wrongQuery: [...paging.wrongQuery, { status: "draft" }] },
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
  followUpCampaign: {
    ...campaign,
    id: sendingCampaign,
    body: () => ({ audience: "not_opened" }),
  },
  testCampaign: { ...campaign, body: () => ({ to: `delivered+${++createdSoFar}@sandbox.test` }) },
  explainRecipient: {
    ...campaign,
    id: async (project) => ({ id: await anyCampaign(project), contact: await anyContact(project) }),
  },
  getCampaignProgress: campaign,
  getCampaignActivity: campaign,
  getCampaignBreakdown: campaign,
  getCampaignSpread: campaign,
  compareCampaigns: campaign,
  listForms: { query: { limit: "5" } },
  createForm: { body: () => ({ name: "Footer", questions: [] }) },
  previewForm: { body: () => ({ name: "Footer", texts: { title: "Our letter" } }) },
  getForm: form,
  updateForm: { ...form, body: () => ({ doubleOptIn: false }) },
  deleteForm: form,
  getFormFigures: { ...form, query: { days: "7" } },
  getFormSnippet: { ...form, query: { language: "de" } },
  listTopics: {},
  createTopic: { body: () => ({ name: `Topic ${++createdSoFar}` }) },
  getTopic: topic,
  updateTopic: { ...topic, body: () => ({ description: "Once a month" }) },
  deleteTopic: topic,
  listTemplates: { query: { page: "1", pageSize: "5" } },
  createTemplate: { body: templateInput },
  previewTemplate: { body: () => ({ subject: "Hello {{ name }}", body: "<p>Hi</p>" }) },
  getTemplate: template,
  replaceTemplate: { ...template, body: templateInput },
  updateTemplate: { ...template, body: () => ({ name: "Another name" }) },
  deleteTemplate: template,
  renderTemplate: { ...template, body: () => ({ data: { firstName: "Ada" } }) },
  listTemplateVersions: template,
  createDomain: { body: () => ({ name: `sent-${++createdSoFar}.example.com` }) },
  listDomains: paging,
  getDomain: domain,
  updateDomain: { ...domain, body: () => ({ tracking: { opens: false } }) },
  deleteDomain: domain,
  verifyDomain: domain,
  getCampaignPace: {},
  setCampaignPace: { body: () => ({ emailsPerHour: 5_000 }) },
  resumeDomain: {
    ...domain,
    id: async (project) => {
      const id = await anyDomain(project);
      const domainId = decodeId("domain", id) ?? "";
      await project.ctx.db.insert(senderPauses).values({
        domainId,
        projectId: project.projectId,
        words: "550 5.1.0 Sender address rejected",
        probeAt: new Date(),
      });
      return id;
    },
  },
  getSendingState: {},
  releaseMail: {},
  getDmarc: domain,
  getWarmup: domain,
  setWarmup: { ...domain, body: () => ({ enabled: true, schedule: [100, 200] }) },
  listInbound: { ...paging, wrongQuery: [{ startDate: "yesterday" }] },
  ...inboundExamples,
  listInboundRoutes: paging,
  createInboundRoute: {
    id: anyWebhook,
    body: ({ id }) => ({ pattern: `made+${++createdSoFar}@`, webhookId: id }),
  },
  deleteInboundRoute: { id: anyInboundRoute, unknownId: encodeId("inboundRoute", nothing) },
  createWebhook: { body: webhookInput },
  listWebhooks: paging,
  getWebhook: webhook,
  updateWebhook: { ...webhook, body: () => ({ enabled: false }) },
  putWebhook: { ...webhook, body: webhookInput },
  rotateWebhookSecret: webhook,
  testWebhook: {
    ...webhook,
    id: async ({ ctx }) =>
      (await createWebhook(ctx, { url: "http://127.0.0.1:9/", events: ["*"] })).id,
    body: () => ({ event: "email.bounced" }),
  },
  replayWebhookDeliveries: { ...webhook, body: () => ({ since: "2026-01-01T00:00:00Z" }) },
  listWebhookDeliveries: { ...webhook, ...paging },
  getWebhookDelivery: webhookDelivery,
  retryWebhookDelivery: webhookDelivery,
  deleteWebhook: webhook,
  createApiKey: { body: () => ({ name: "Web shop" }) },
  listApiKeys: paging,
  deleteApiKey: apiKey,
  ...sessionExamples,
  getProject: {},
  updateProject: { body: () => ({ postalAddress: "Example Ltd\n1 High Street" }) },
  getOverview: { query: { range: "24h" } },
};
