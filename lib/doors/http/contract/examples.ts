import { senderPauses } from "@/db/schema";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import {
  createConnection,
  deleteConnection,
  listConnections,
} from "@/lib/domain/connections/connections";
import { createInboundRoute, deleteInboundRoute } from "@/lib/domain/inbound/routes";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { testWebhook } from "@/lib/engine/webhooks/test-call";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import type { TestProject } from "@/lib/testing";
import { campaignExamples } from "./campaign-examples";
import { contactExamples } from "./contact-examples";
import { emailExamples } from "./email-examples";
import { nextNumber, nothing, paging, type Example } from "./example";
import { inboundExamples } from "./inbound-examples";
import { sessionExamples } from "./session-examples";

const anyKey = async ({ ctx }: TestProject) =>
  (await createApiKey(ctx, { name: "To be revoked", scope: "full", mode: "live" })).id;

const anyDomain = async ({ ctx }: TestProject) =>
  (await createDomain(ctx, { name: `made-${nextNumber()}.example.com` })).id;

async function anyInboundRoute(project: TestProject): Promise<string> {
  const webhookId = await anyWebhook(project);
  const pattern = `made+${nextNumber()}@`;
  return (await createInboundRoute(project.ctx, { pattern, webhookId })).id;
}

async function deletedInboundRoute(project: TestProject): Promise<string> {
  const id = await anyInboundRoute(project);
  await deleteInboundRoute(project.ctx, id);
  return id;
}

/** A project has a bounded number of connections; nobody listens at this one's port. */
async function anyConnection({ ctx }: TestProject): Promise<string> {
  const { data } = await listConnections(ctx);
  for (const { id } of data) await deleteConnection(ctx, id);
  return (await createConnection(ctx, connectionInput())).id;
}

const connectionInput = () => ({
  name: `Server ${nextNumber()}`,
  kind: "smtp" as const,
  host: "127.0.0.1",
  port: 9,
});
const connection = { id: anyConnection, unknownId: encodeId("connection", nothing) };
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
const apiKey = { id: anyKey, unknownId: encodeId("apiKey", nothing) };
const domain = { id: anyDomain, unknownId: encodeId("domain", nothing) };

/** By operationId. An operation that is missing here fails the contract tests. */
export const examples: Record<string, Example> = {
  ...emailExamples,
  ...contactExamples,
  ...campaignExamples,
  find: { query: { text: "ada" } },
  listEvents: {
    query: { limit: "5", types: "email.bounced,contact.created" },
    wrongQuery: [{ after: "bm90IGEgY3Vyc29y" }, { types: "email.sunk" }, { limit: "501" }],
  },
  createDomain: { body: () => ({ name: `sent-${nextNumber()}.example.com` }) },
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
    body: ({ id }) => ({ pattern: `made+${nextNumber()}@`, webhookId: id }),
  },
  deleteInboundRoute: { id: anyInboundRoute, unknownId: encodeId("inboundRoute", nothing) },
  restoreInboundRoute: { id: deletedInboundRoute, unknownId: encodeId("inboundRoute", nothing) },
  listConnections: {},
  createConnection: { id: anyConnection, body: connectionInput },
  getConnection: connection,
  updateConnection: { ...connection, body: () => ({ sessions: 3 }) },
  testConnection: connection,
  deleteConnection: connection,
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
  getOverviewProviders: {},
};
