import { asc, eq, sql } from "drizzle-orm";
import { lists, topics } from "@/db/schema";
import { describeDraft } from "@/lib/domain/forms/preview";
import type { PublicForm } from "@/lib/domain/forms/public-form";
import type { Confirmation, Preferences } from "@/lib/domain/opt-outs/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import type { PagesPreview } from "./pages-schema";

/** Who is shown in place of a recipient. */
const sample = { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" };
const sampleLists = 3;

/** What a project's recipients see, with somebody made up in their place. */
export interface SampledPages {
  preferences: Preferences;
  confirmation: Confirmation;
  form: PublicForm;
}

/** The stored topics with what is being written of them, as the page orders them. */
function topicsWith(
  stored: readonly { id: string; name: string; description: string }[],
  drafts: NonNullable<PagesPreview["topics"]>,
) {
  const changed = stored.map((topic) => ({
    ...topic,
    ...drafts.find(({ id }) => id === topic.id),
  }));
  const added = drafts.filter(({ id }) => !stored.some((topic) => topic.id === id));
  return [...changed, ...added]
    .map(({ id = "", name, description = "" }) => ({ id, name, description, left: false }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** The project's pages with what is being written in its settings; stores nothing. */
export async function sampleRecipientPages(
  ctx: Context,
  draft: PagesPreview,
): Promise<SampledPages> {
  requireRole(ctx, "viewer");
  const { db, projectId } = ctx;
  const [form, ofLists, ofTopics] = await Promise.all([
    describeDraft(ctx, { name: "", questions: [{ key: "firstName", label: "", required: false }] }),
    db
      .select({ id: lists.id, name: lists.name })
      .from(lists)
      .where(eq(lists.projectId, projectId))
      .orderBy(asc(lists.id))
      .limit(sampleLists),
    db
      .select({ id: topics.id, name: topics.name, description: topics.description })
      .from(topics)
      .where(eq(topics.projectId, projectId))
      .orderBy(sql`lower(${topics.name})`, topics.id),
  ]);
  const brand = {
    projectId,
    project: draft.name ?? form.brand.project,
    color: draft.brandColor === undefined ? form.brand.color : draft.brandColor,
    mails: draft.brand === undefined ? form.brand.mails : draft.brand,
    language: draft.language ?? form.brand.language,
    postalAddress: draft.postalAddress ?? form.brand.postalAddress,
  };
  const [first] = ofLists;
  const list = first?.name ?? brand.project;
  const nobody = { brand, person: null, email: sample.email };
  return {
    form: { ...form, brand, subject: brand.project },
    confirmation: {
      ...{ ...nobody, state: "open", list, listId: "" },
      ...{ subscribed: false, leftAll: false, token: "" },
    },
    preferences: {
      ...{ ...nobody, ...sample, consent: "subscribed", blocked: null },
      lists: ofLists.map(({ id, name }) => ({
        ...{ id: encodeId("list", id), name, status: "subscribed", linked: false },
      })),
      topics: topicsWith(
        ofTopics.map((topic) => ({ ...topic, id: encodeId("topic", topic.id) })),
        draft.topics ?? [],
      ),
      ...{ pausedUntil: null, weekly: false, asked: [], moved: false },
    },
  };
}
