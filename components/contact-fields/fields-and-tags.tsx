"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { count, people } from "@/components/ui/numbers";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { rich } from "@/components/ui/rich";
import { Tabs } from "@/components/ui/tabs";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { ChangeUnderWay, LastChanges } from "./change-list";
import { AddField } from "./field-form";
import { FieldTable } from "./field-table";
import { TagTable } from "./tag-table";
import { useFreshContacts } from "./use-fresh-contacts";
import { changesShown, isBehind, isUnderWay } from "./words";

/** What is known of a project's contacts besides their names, and what changes it for everybody. */
export function FieldsAndTags({
  fields: initialFields,
  tags: initialTags,
  changes: initialChanges,
}: {
  fields: ApiAnswer<"GET /v1/contacts/fields">;
  tags: ApiAnswer<"GET /v1/contacts/tags">;
  changes: ApiAnswer<"GET /v1/contacts/changes">;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const [adding, setAdding] = useState(false);
  const changes = useRead(
    "GET /v1/contacts/changes",
    { query: { limit: changesShown } },
    { initial: initialChanges, every: (page) => (page?.data.some(isUnderWay) ? 1_000 : 30_000) },
  );
  const all = changes.data.data;
  const underWay = all.find(isUnderWay);
  useFreshContacts(underWay !== undefined);
  const every = (seen: { countedAt: string | null } | undefined) =>
    seen && isBehind(seen.countedAt, all) ? 2_000 : 60_000;
  const fields = useRead("GET /v1/contacts/fields", {}, { initial: initialFields, every });
  const tags = useRead("GET /v1/contacts/tags", {}, { initial: initialTags, every });
  const counted = (figures: { contacts: number; countedAt: string | null }) => (
    <Counted {...figures} behind={isBehind(figures.countedAt, all)} />
  );
  return (
    <>
      <PageHeader
        title={t("Fields and tags")}
        description={t(
          "What you know about your contacts besides name and address: custom fields, which templates and segments use, and tags.",
        )}
        back={{ href: path("settings"), label: t("Settings") }}
        actions={
          may && (
            <Button variant="primary" onClick={() => setAdding(true)}>
              <Plus aria-hidden /> {t("Add a field")}
            </Button>
          )
        }
      />
      <NotUpToDate of={fields.error ? fields : tags.error ? tags : changes} />
      {underWay && <ChangeUnderWay change={underWay} />}
      <Tabs
        label={t("Fields and tags")}
        tabs={[
          {
            value: "fields",
            label: t("Fields ({count})", { count: count(fields.data.data.length) }),
            content: (
              <FieldTable
                fields={fields.data.data}
                counted={counted(fields.data)}
                refresh={fields.refetch}
              />
            ),
          },
          {
            value: "tags",
            label: t("Tags ({count})", { count: count(tags.data.data.length) }),
            content: <TagTable tags={tags.data.data} counted={counted(tags.data)} />,
          },
        ]}
      />
      <LastChanges changes={all.filter((change) => !isUnderWay(change))} />
      {adding && <AddField fields={fields.data.data} onClose={() => setAdding(false)} />}
    </>
  );
}

function Counted({
  contacts,
  countedAt,
  behind,
}: {
  contacts: number;
  countedAt: string | null;
  /** They are being counted again. */
  behind: boolean;
}) {
  const figures = { people: people(contacts), time: <RelativeTime value={countedAt} /> };
  return (
    <p className="mt-2 text-xs text-faint">
      {countedAt === null
        ? t("Being counted. The figures appear in a moment.")
        : behind
          ? rich("Of {people}, counted {time}. Being counted again.", figures)
          : rich("Of {people}, counted {time}.", figures)}
    </p>
  );
}
