"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DeleteThing } from "@/components/shell/delete-button";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { FormFault } from "@/components/form/form-fault";
import { SaveButton } from "@/components/form/save-button";
import { changedPart } from "@/components/form/changed";
import type { Faults } from "@/components/form/faults";
import { eitherSchema, lazySchema } from "@/components/form/lazy-schema";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { CopyableCode } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { PageHeader, Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type {
  Segment,
  SegmentFilter,
  SegmentInput,
  SegmentSuggestions,
  SegmentUpdate,
} from "@/lib/domain/segments/schema";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";
import { ConditionGroup } from "./condition-group";
import { openPlaces } from "./fields";
import { SegmentPreview } from "./segment-preview";
import { sentence } from "./sentence";

const schemas = () => import("@/lib/domain/segments/schema");
const segmentInput = lazySchema(async () => (await schemas()).segmentInput);
const segmentUpdate = lazySchema(async () => (await schemas()).segmentUpdate);

const startingFilter: SegmentFilter = { and: [{ field: "subscribed", op: "eq", value: true }] };

const draftOf = ({ name, filter }: Segment): SegmentInput => ({ name, filter });
const labels = phrases({ name: "Name", filter: "Who is in it" });

function openFaults({ filter }: SegmentInput): Faults {
  return Object.fromEntries(openPlaces(filter).map((place) => [place, t("A value is missing.")]));
}

/** Creates or changes a segment: its conditions, what they mean, and whom they match so far. */
export function SegmentEditor({
  initial,
  suggestions,
}: {
  /** Null for a new one. */
  initial: Segment | null;
  suggestions: SegmentSuggestions;
}) {
  const api = useApi();
  const path = useProjectPath();
  const { id: projectId } = useProject();
  const router = useRouter();
  const may = useMay("editor");
  const [saved, setSaved] = useState(initial);
  const saves = useSaves<Segment, SegmentInput, SegmentUpdate>(
    saved && {
      saved,
      onNewer: setSaved,
      draftOf,
      change: (body) => api("PATCH /v1/segments/{id}", { params: { id: saved.id }, body }),
      read: () => api("GET /v1/segments/{id}", { params: { id: saved.id } }),
    },
  );
  const form = useForm({
    initial: () => (initial ? draftOf(initial) : { name: "", filter: startingFilter }),
    schema: eitherSchema(saved !== null, segmentUpdate, segmentInput),
    input: (draft: SegmentInput, base) => (saved ? changedPart(base, draft) : draft),
    check: openFaults,
    ...(saved ? { onUnchanged: () => undefined } : {}),
    send: (body) =>
      saved ? saves.save(body) : api("POST /v1/segments", { body: body as SegmentInput }),
    onSent: (segment) => {
      setSaved(segment);
      form.rebase(draftOf(segment));
      toast.success(saved ? t("Saved") : t("{name} created", { name: segment.name }));
      if (!saved) router.replace(path(`segments/${segment.id}`));
    },
  });
  const { fields } = useRead(
    "GET /v1/segments/fields",
    {},
    { initial: suggestions, staleTime: 60_000 },
  ).data;
  const { filter } = form.draft;
  const isSavedFilter = saved !== null && JSON.stringify(saved.filter) === JSON.stringify(filter);
  return (
    <form aria-label={t("Segment")} {...form.props}>
      <PageHeader
        title={saved ? saved.name : t("New segment")}
        back={{ href: path("segments"), label: t("Segments") }}
        meta={
          saved && (
            <>
              <span className="text-sm text-soft">
                {rich("Changed {relativeTime}", {
                  relativeTime: <RelativeTime value={saved.updatedAt} />,
                })}
              </span>
              <CopyableCode text={saved.id} what={t("segment id")} />
            </>
          )
        }
        actions={
          may && (
            <>
              {saved && (
                <DeleteThing
                  kind="segment"
                  name={saved.name}
                  list="segments"
                  remove={() => api("DELETE /v1/segments/{id}", { params: { id: saved.id } })}
                  undo={() => api("POST /v1/segments/{id}/restore", { params: { id: saved.id } })}
                >
                  {t(
                    "The people in it stay contacts; only the segment goes. Programs and drafts that refer to it will no longer find it.",
                  )}
                </DeleteThing>
              )}
              <SaveButton form={form} saved={saved !== null} create={t("Create segment")} />
            </>
          )
        }
      />
      <div className="mb-5 empty:hidden">
        <FormFault of={form} />
      </div>
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={initial?.id ?? `new-segment.${projectId}`}
        label={(field) => labels[field]}
        tell={(draft, field) => (field === "name" ? draft.name : sentence(draft.filter, fields))}
      />
      <div className="grid grid-cols-1 gap-x-12 gap-y-9 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex flex-col gap-7">
          <Field label={t("Name")} name="name" error={form.fault("name")} className="max-w-md">
            <Input
              autoFocus={!saved}
              {...form.text("name")}
              disabled={!may}
              autoComplete="off"
              maxLength={200}
              placeholder={t("Pro plan, has never clicked")}
            />
          </Field>
          <div>
            <Section title={t("Who is in it")}>
              <ConditionGroup
                group={filter}
                place="filter"
                fields={fields}
                fault={form.fault}
                disabled={!may}
                onChange={(next) => form.set({ filter: next })}
              />
            </Section>
          </div>
          <p className="border-t pt-4 text-sm text-soft" aria-live="polite">
            {sentence(filter, fields)}
          </p>
        </div>
        <div>
          <Section title={t("Matches now")}>
            <SegmentPreview
              filter={filter}
              complete={openPlaces(filter).length === 0}
              segmentId={isSavedFilter ? saved.id : null}
            />
          </Section>
        </div>
      </div>
    </form>
  );
}
