"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState, type FormEvent } from "react";
import { fieldFault, formFault } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { DeleteThing } from "@/components/shell/delete-thing";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { useUnsaved } from "@/components/form/use-unsaved";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { PageHeader, Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { submitByKeys } from "@/components/ui/submit-by-keys";
import { toast } from "@/components/ui/toast";
import {
  segmentInput,
  type Segment,
  type SegmentFilter,
  type SegmentInput,
  type SegmentSuggestions,
} from "@/lib/domain/segments/schema";
import { ConditionGroup } from "./condition-group";
import { openPlaces } from "./fields";
import { SegmentPreview } from "./segment-preview";
import { sentence } from "./sentence";

const begun: SegmentFilter = { and: [{ field: "subscribed", op: "eq", value: true }] };

/** `["filter", "and", 0, "value"]` as `filter.and[0].value`, which is how the API names places. */
const placeOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (place, part) =>
      typeof part === "number"
        ? `${place}[${part}]`
        : place
          ? `${place}.${String(part)}`
          : String(part),
    "",
  );

function faultsIn(draft: SegmentInput): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const place of openPlaces(draft.filter)) faults[place] = "A value is missing.";
  for (const { path, message } of segmentInput.safeParse(draft).error?.issues ?? []) {
    faults[placeOf(path)] ??= `This ${message}.`;
  }
  return faults;
}

/** Makes or changes a segment: its conditions, what they mean, and whom they find while one builds. */
export function SegmentEditor({
  initial,
  suggestions,
}: {
  /** Null for a new one. */
  initial: Segment | null;
  suggestions: SegmentSuggestions;
}) {
  const { id: projectId } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const queries = useQueryClient();
  const may = useMay("editor");
  const [saved, setSaved] = useState(initial);
  const [name, setName] = useState(initial?.name ?? "");
  const [filter, setFilter] = useState<SegmentFilter>(initial?.filter ?? begun);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const { data } = useQuery({
    queryKey: ["segments", projectId, "fields"],
    queryFn: ({ signal }) => api("GET /v1/segments/fields", {}, { signal }),
    initialData: suggestions,
    staleTime: 60_000,
  });
  const { fields } = data;
  const same = saved !== null && JSON.stringify(saved.filter) === JSON.stringify(filter);
  const dirty = saved ? !same || name !== saved.name : name !== "" || filter !== begun;
  const save = useMutation({
    mutationFn: (body: SegmentInput) =>
      saved
        ? api("PATCH /v1/segments/{id}", { params: { id: saved.id }, body })
        : api("POST /v1/segments", { body }),
    onSuccess: async (kept) => {
      setSaved(kept);
      setName(kept.name);
      setFilter(kept.filter);
      toast.success(saved ? "Saved" : `${kept.name} is created`);
      if (!saved) router.replace(path(`segments/${kept.id}`));
      await queries.invalidateQueries({ queryKey: ["segments", projectId, "list"] });
    },
  });
  useUnsaved(may && dirty && !save.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!may || save.isPending) return;
    const found = faultsIn({ name, filter });
    setFaults(found);
    if (Object.keys(found).length === 0) save.mutate({ name, filter });
  };
  const change = (next: SegmentFilter) => {
    setFilter(next);
    setFaults({});
    if (save.isError) save.reset();
  };
  const fault = (place: string) => faults[place] ?? fieldFault(save.error, place);
  const whole = formFault(save.error, ["name"]);
  return (
    <form onSubmit={submit} onKeyDown={submitByKeys} aria-label="Segment" noValidate>
      <PageHeader
        title={saved ? saved.name : "New segment"}
        back={{ href: path("segments"), label: "Segments" }}
        meta={
          saved && (
            <>
              <span className="text-sm text-soft">
                Changed <RelativeTime value={saved.updatedAt} />
              </span>
              <CopyableCode text={saved.id} what="segment id" />
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
                >
                  The people in it stay contacts; only the choice of them goes. A program or a draft
                  that names it does not find it any more.
                </DeleteThing>
              )}
              <Button
                type="submit"
                variant="primary"
                pending={save.isPending}
                disabled={saved !== null && !dirty}
                title="Ctrl or ⌘ and Enter"
              >
                {saved ? "Save" : "Create segment"}
              </Button>
            </>
          )
        }
      />
      {whole && (
        <div className="mb-5">
          <Callout kind="danger" alert>
            {whole}
          </Callout>
        </div>
      )}
      <div className="grid grid-cols-1 gap-x-12 gap-y-9 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex flex-col gap-7">
          <Field label="Name" name="name" error={fault("name")} className="max-w-md">
            <Input
              autoFocus={!saved}
              value={name}
              disabled={!may}
              autoComplete="off"
              maxLength={200}
              placeholder="Pro plan, not from the shop"
              onChange={({ target }) => {
                setName(target.value);
                setFaults({});
              }}
            />
          </Field>
          <div>
            <Section title="Who is in it">
              <ConditionGroup
                group={filter}
                place="filter"
                fields={fields}
                fault={fault}
                disabled={!may}
                onChange={change}
              />
            </Section>
          </div>
          <p className="border-t pt-4 text-sm text-soft" aria-live="polite">
            {sentence(filter, fields)}
          </p>
        </div>
        <div>
          <Section title="Found now">
            <SegmentPreview
              filter={filter}
              complete={openPlaces(filter).length === 0}
              segmentId={same && saved ? saved.id : null}
            />
          </Section>
        </div>
      </div>
    </form>
  );
}
