"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { changedPart } from "@/components/form/changed";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input, Textarea } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import {
  projectUpdate,
  type ProjectSettings as Settings,
  type ProjectUpdate,
} from "@/lib/domain/projects/schema";

const editable = ({ name, postalAddress }: Settings) => ({ name, postalAddress });

const labels = { name: "Project name", postalAddress: "Postal address" } as const;

/** The project's name, and the postal address at the end of its campaigns. */
export function ProjectSettings({ initial }: { initial: Settings }) {
  const api = useApi();
  const router = useRouter();
  const may = useMay("admin");
  const [saved, setSaved] = useState(initial);
  const saves = useSaves<Settings, ReturnType<typeof editable>, ProjectUpdate>({
    saved,
    onNewer: setSaved,
    draftOf: editable,
    change: (body) => api("PATCH /v1/project", { body }),
    read: () => api("GET /v1/project", {}),
  });
  const form = useForm({
    initial: editable(initial),
    schema: projectUpdate,
    input: (draft, base) => changedPart(base, draft),
    onUnchanged: () => undefined,
    send: saves.save,
    onSent: (stored) => {
      setSaved(stored);
      form.rebase(editable(stored));
      toast.success("Settings saved");
      // The sidebar shows the project's name, too.
      router.refresh();
    },
  });
  return (
    <form aria-label="Project" {...form.props} className="flex max-w-xl flex-col gap-5">
      {form.whole && (
        <Callout kind="danger" alert>
          {form.whole}
        </Callout>
      )}
      <Unsettled
        form={form}
        saves={saves}
        draftOf={editable}
        keptAs={initial.id}
        label={(field) => labels[field]}
        tell={(draft, field) => draft[field]}
      />
      {!may && <Callout kind="info">Only admins and owners can change these settings.</Callout>}
      <Field label="Project name" name="name" error={form.fault("name")}>
        <Input {...form.text("name")} readOnly={!may} autoComplete="off" maxLength={100} />
      </Field>
      <Field
        label="Postal address"
        name="postalAddress"
        error={form.fault("postalAddress")}
        hint="Shown at the end of each campaign, with its line breaks. A campaign to a list with an address of its own shows that one instead."
      >
        <Textarea
          {...form.text("postalAddress")}
          readOnly={!may}
          rows={4}
          placeholder={"Example Ltd\n1 High Street\nLondon N1 9GU, United Kingdom"}
        />
      </Field>
      {may && (
        <div>
          <Button type="submit" variant="primary" pending={form.pending} disabled={!form.dirty}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
