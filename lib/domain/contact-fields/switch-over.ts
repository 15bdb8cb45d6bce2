import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { type bulkChanges, campaigns, forms, formSignUps, segments } from "@/db/schema";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { audit } from "@/lib/ground/audit";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { forgetDeleted } from "@/lib/ground/updates/bring-back";
import { laterThan } from "@/lib/ground/updates/stale";
import { moveDescription } from "./fields";
import {
  filterNames,
  formsNaming,
  renamedFilter,
  renamedQuestions,
  segmentsNaming,
  subjectOf,
} from "./references";
import { isOfField } from "./terms";

type Change = Pick<typeof bulkChanges.$inferSelect, "projectId" | "action" | "name" | "newName">;

/**
 * Has segments, audiences under way, forms and what is said of the field use the new name. Called when every contact
 * has it beside the old one, so that a filter matches the same people before and after.
 */
export async function switchOver(tx: Transaction, ctx: Context, change: Change): Promise<void> {
  const { projectId, action, name, newName } = change;
  if (newName === null) return;
  const subject = subjectOf(change);
  await forgetDeleted(tx, projectId);
  for (const segment of await segmentsNaming(tx, projectId, subject, true)) {
    await tx
      .update(segments)
      .set({
        filter: renamedFilter(segment.filter, subject, newName),
        updatedAt: laterThan(segments.updatedAt),
      })
      .where(eq(segments.id, segment.id));
    await audit(tx, ctx, "update.segment", encodeId("segment", segment.id), {
      name: segment.name,
    });
  }
  await switchAudiences(tx, change, newName);
  if (!isOfField(action)) return;
  for (const form of await formsNaming(tx, projectId, subject, true)) {
    await tx
      .update(forms)
      .set({
        questions: renamedQuestions(form.questions, name, newName),
        updatedAt: laterThan(forms.updatedAt),
      })
      .where(eq(forms.id, form.id));
    await audit(tx, ctx, "update.form", encodeId("form", form.id), { fields: ["questions"] });
  }
  // Who has not confirmed yet has answered the question under its old name.
  await tx
    .update(formSignUps)
    .set({
      data: sql`(${formSignUps.data} - ${name}::text)
        || jsonb_build_object(${newName}::text, ${formSignUps.data} -> ${name}::text)`,
    })
    .where(
      and(
        eq(formSignUps.projectId, projectId),
        isNull(formSignUps.confirmedAt),
        sql`${formSignUps.data} ? ${name}::text`,
      ),
    );
  await moveDescription(tx, projectId, name, newName);
}

/** The filters that campaigns took from their segments: one is choosing by it, or it says why somebody was chosen. */
async function switchAudiences(tx: Transaction, change: Change, newName: string): Promise<void> {
  const subject = subjectOf(change);
  const rows = await tx
    .select({ id: campaigns.id, filter: sql<SegmentFilter>`${campaigns.audienceFilter}` })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, change.projectId),
        isNotNull(campaigns.audienceFilter),
        sql`strpos(${campaigns.audienceFilter}::text, ${subject.name}) > 0`,
      ),
    )
    .orderBy(campaigns.id)
    .for("update");
  for (const { id, filter } of rows) {
    if (!filterNames(filter, subject)) continue;
    await tx
      .update(campaigns)
      .set({ audienceFilter: renamedFilter(filter, subject, newName) })
      .where(eq(campaigns.id, id));
  }
}
