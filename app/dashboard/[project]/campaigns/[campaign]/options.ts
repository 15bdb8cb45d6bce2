import type { ComposerOptions } from "@/components/campaigns/composer-parts";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import type { Context } from "@/lib/ground/context";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { isAppError } from "@/lib/ground/errors";
import { getList, listLists } from "@/lib/domain/lists/lists";
import { getSegment, listSegments } from "@/lib/domain/segments/segments";
import { listTopics } from "@/lib/domain/topics/topics";
import { listTemplates } from "@/lib/domain/templates/templates";
import { t } from "@/lib/ground/texts/t";

/** What the composer offers: the newest hundred of each kind. */
export async function composerOptions(context: Context, email: string): Promise<ComposerOptions> {
  const limit = 100;
  const [segments, lists, templates, domains, topics] = await Promise.all([
    listSegments(context, { limit }),
    listLists(context, { limit }),
    listTemplates(context, { page: 1, pageSize: limit }),
    listDomains(context, { limit, status: "VERIFIED" }),
    listTopics(context),
  ]);
  return {
    segments: segments.data.map(({ id, name }) => ({ id, name })),
    lists: lists.data.map(({ id, name }) => ({ id, name })),
    topics: topics.data.map(({ id, name }) => ({ id, name })),
    templates: templates.data.map(({ id, name }) => ({ id, name })),
    domains: domains.data.map(({ name }) => name),
    email,
  };
}

/** The name of a segment or list; null when it was deleted. */
async function nameOf(reading: Promise<{ name: string }>): Promise<string | null> {
  try {
    return (await reading).name;
  } catch (error) {
    if (isAppError(error) && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

/** Who a campaign is for, in words. */
export async function audienceWords(context: Context, campaign: Campaign): Promise<string> {
  const { segmentId, listId } = campaign;
  if (segmentId) {
    const name = await nameOf(getSegment(context, segmentId));
    return name === null
      ? t("a segment that was deleted")
      : t("subscribed people in the segment “{name}”", { name });
  }
  if (listId) {
    const name = await nameOf(getList(context, listId));
    return name === null
      ? t("a list that was deleted")
      : t("subscribed people on the list “{name}”", { name });
  }
  return t("everybody who is subscribed");
}
