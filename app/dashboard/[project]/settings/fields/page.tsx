import type { Metadata } from "next";
import { FieldsAndTags } from "@/components/contact-fields/fields-and-tags";
import { changesShown } from "@/components/contact-fields/words";
import { listBulkChanges } from "@/lib/domain/contact-fields/bulk-change-rows";
import { listContactFields, listContactTags } from "@/lib/domain/contact-fields/fields";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Fields and tags") };
}

export default async function FieldsPage({ params }: { params: Promise<{ project: string }> }) {
  const { context } = await openProject((await params).project);
  const [fields, changes] = await Promise.all([
    listContactFields(context),
    listBulkChanges(context, { limit: changesShown }),
  ]);
  // After the fields: reading them counts both when nothing has been counted yet.
  const tags = await listContactTags(context);
  return <FieldsAndTags fields={fields} tags={tags} changes={changes} />;
}
