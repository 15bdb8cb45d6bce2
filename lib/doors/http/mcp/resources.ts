import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { getOverview } from "@/lib/domain/overview/overview";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { platformDocument } from "@/lib/doors/http/platform/openapi";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { requireRole, type Context } from "@/lib/ground/context";

const mimeType = "application/json";
const mostDomains = 50;

interface FixedResource {
  listed: Resource;
  read: (ctx: Context) => object | Promise<object>;
}

/** What to know before anything else: who sends, from where, and how it is going. */
async function projectOverview(ctx: Context): Promise<object> {
  const [settings, domains, week, month] = await Promise.all([
    getProjectSettings(ctx),
    listDomains(ctx, { limit: mostDomains }),
    getOverview(ctx, { range: "7d" }),
    getOverview(ctx, { range: "30d" }),
  ]);
  const figures = ({ totals, deliveryConfirmed, rates }: typeof week) => ({
    ...totals,
    deliveryConfirmed,
    rates,
  });
  return {
    project: settings,
    sendingDomains: domains.data.map(({ id, name, status }) => ({ id, name, status })),
    health: week.health,
    last7Days: figures(week),
    last30Days: figures(month),
  };
}

const fixed: readonly FixedResource[] = [
  {
    listed: {
      uri: "lettermill://project",
      name: "project",
      title: "Project overview",
      description: "The project, its sending domains, and the figures of the last 7 and 30 days.",
      mimeType,
    },
    read: projectOverview,
  },
  {
    listed: {
      uri: "lettermill://openapi/bearer",
      name: "openapi",
      title: "OpenAPI document of the bearer API",
      description: "Every operation under /v1: sending, contacts, campaigns, templates, domains.",
      mimeType,
    },
    read: openApiDocument,
  },
  {
    listed: {
      uri: "lettermill://openapi/platform",
      name: "platform-openapi",
      title: "OpenAPI document of the platform API",
      description: "Every operation under /api/v1: lists, subscribers, campaigns, files.",
      mimeType,
    },
    read: platformDocument,
  },
];

/** The campaign's report, as a template that completion fills in. */
export const reportTemplate = "lettermill://campaigns/{id}/report";
const reportUri = /^lettermill:\/\/campaigns\/([^/]+)\/report$/;

export const resources: readonly Resource[] = fixed.map(({ listed }) => listed);

export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: reportTemplate,
    name: "campaign-report",
    title: "Report of a campaign",
    description: "What a campaign said, to whom it went, and what came of it, by its id (cmp_…).",
    mimeType,
  },
];

/** The mail itself is left out: it is long, and anyone who wants the report knows it. */
async function report(ctx: Context, id: string): Promise<object> {
  const campaign = await getCampaign(ctx, id);
  const entries = Object.entries(campaign).filter(([name]) => name !== "body" && name !== "text");
  return Object.fromEntries(entries);
}

/** Reads a resource. Throws ProtocolError where there is none, AppError as its function does. */
export async function readResource(ctx: Context, uri: string): Promise<ReadResourceResult> {
  requireRole(ctx, "viewer");
  const id = reportUri.exec(uri)?.[1];
  const resource = fixed.find(({ listed }) => listed.uri === uri);
  if (!id && !resource) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`, {
      uri,
    });
  }
  const value = id ? await report(ctx, id) : await resource?.read(ctx);
  return { contents: [{ uri, mimeType, text: JSON.stringify(value) }] };
}
