import type { CallToolResult } from "@modelcontextprotocol/server";
import { estimateAudience } from "@/lib/domain/campaigns/audience";
import { getCampaign } from "@/lib/domain/campaigns/read";
import type { Context } from "@/lib/ground/context";

/** How many people a campaign may go to without being asked about. */
const mostWithoutAsking = 100;

/** What the question adds to the tool's answer, as JSON Schema. */
export const questionFields = {
  needsConfirmation: { type: "boolean", description: "Nothing was sent: ask the user first." },
  recipients: { type: "integer", description: "How many people would get it now." },
  notReached: {
    type: "object",
    description: "How many are selected and would not get it, by reason.",
  },
} as const;

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
  const question = `Nothing was sent. “${campaign.name}” would go to ${count.toLocaleString("en")} people. Ask the user, and after a yes call send_campaign again with the same arguments and confirm: true.`;
  return {
    content: [{ type: "text", text: question }],
    structuredContent: {
      id: campaign.id,
      name: campaign.name,
      status: campaign.status,
      needsConfirmation: true,
      recipients: count,
      notReached: excluded,
    },
  };
}
