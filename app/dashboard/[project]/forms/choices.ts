import type { FormChoices } from "@/components/forms/form-fields";
import type { Context } from "@/lib/ground/context";
import { listLists } from "@/lib/domain/lists/lists";
import { getMailingList } from "@/lib/domain/lists/overview";
import type { MailingListDetail } from "@/lib/domain/lists/schema";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { listTopics } from "@/lib/domain/topics/topics";
import { isAppError } from "@/lib/ground/errors";

/** What the editor of a form offers; of the lists, the newest hundred. */
export async function formChoices(context: Context): Promise<FormChoices> {
  const [lists, topics, settings, { fields }] = await Promise.all([
    listLists(context, { limit: 100 }),
    listTopics(context),
    getProjectSettings(context),
    suggestSegmentFields(context),
  ]);
  return {
    lists: lists.data.map(({ id, name }) => ({ id, name })),
    topics: topics.data.map(({ id, name }) => ({ id, name })),
    languages: settings.languages,
    attributes: fields.flatMap(({ field }) =>
      field.startsWith("data.") ? [field.slice("data.".length)] : [],
    ),
    brandColor: settings.brandColor,
  };
}

/** A form's list with its fields; null: none, or none of the project's. */
export async function listOf(
  context: Context,
  listId: string | null | undefined,
): Promise<MailingListDetail | null> {
  if (!listId) return null;
  try {
    return await getMailingList(context, listId);
  } catch (error) {
    if (!isAppError(error) || error.code !== "NOT_FOUND") throw error;
    return null;
  }
}
