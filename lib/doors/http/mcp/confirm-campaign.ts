import type { CallToolResult } from "@modelcontextprotocol/server";
import { amount } from "@/lib/ground/amount";
import { estimateAudience } from "@/lib/domain/campaigns/audience";
import { preflightCampaign } from "@/lib/domain/preflight/preflight";
import type { Preflight } from "@/lib/domain/preflight/schema";
import { getCampaign } from "@/lib/domain/campaigns/read";
import type { Context } from "@/lib/ground/context";

/** How many people a campaign may go to without confirmation. */
const mostWithoutAsking = 100;

const findings = (description: string) => ({
  type: "array",
  description,
  items: {
    type: "object",
    properties: {
      code: { type: "string" },
      message: { type: "string" },
      suggestion: { type: ["string", "null"] },
    },
    required: ["code", "message", "suggestion"],
  },
});

/** What the question adds to the tool's answer, as JSON Schema. */
export const questionFields = {
  needsConfirmation: { type: "boolean", description: "Nothing was sent: ask the user first." },
  recipients: { type: "integer", description: "How many people would get it now." },
  notReached: {
    type: "object",
    description: "How many are selected and would not get it, by reason.",
  },
  blocking: findings("What has to be mended before it can be sent."),
  advisory: findings("What the user should know before agreeing, the gravest first."),
} as const;

/** A finding without anything taken from the mail or the contacts. */
const told = ({ code, message, suggestion }: Preflight["blocking" | "advisory"][number]) => ({
  ...{ code, message, suggestion },
});

function questionText(name: string, count: number, { blocking, advisory }: Preflight): string {
  const listed = (title: string, findings: Preflight["blocking" | "advisory"]) =>
    findings.length === 0 ? [] : [title, ...findings.map(({ message }) => `- ${message}`)];
  return [
    `Nothing was sent. “${name}” would go to ${amount(count)} people.`,
    ...listed("It cannot be sent before this is mended:", blocking),
    ...listed("The pre-flight found:", advisory),
    blocking.length > 0
      ? "Tell the user what has to be mended."
      : "Tell the user, and after a yes call send_campaign again with the same arguments and confirm: true.",
  ].join("\n");
}

/**
 * The question before a campaign goes to more than 100 people; null: it may go. Throws NOT_FOUND, and
 * VALIDATION_ERROR when its audience cannot be counted.
 */
export async function questionBefore(ctx: Context, id: string): Promise<CallToolResult | null> {
  const campaign = await getCampaign(ctx, id);
  const { count, excluded } = await estimateAudience(ctx, {
    ...(campaign.segmentId ? { segmentId: campaign.segmentId } : {}),
    ...(campaign.listId ? { listId: campaign.listId } : {}),
  });
  if (count <= mostWithoutAsking) return null;
  const preflight = await preflightCampaign(ctx, id);
  const { blocking, advisory } = preflight;
  return {
    content: [{ type: "text", text: questionText(campaign.name, count, preflight) }],
    structuredContent: {
      id: campaign.id,
      name: campaign.name,
      status: campaign.status,
      needsConfirmation: true,
      recipients: count,
      notReached: excluded,
      blocking: blocking.map(told),
      advisory: advisory.map(told),
    },
  };
}
