import type { FormChoices } from "@/components/forms/form-fields";
import type { Context } from "@/lib/ground/context";
import { listLists } from "@/lib/domain/lists/lists";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { listTopics } from "@/lib/domain/topics/topics";

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
