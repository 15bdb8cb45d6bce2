"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { useUnsaved } from "@/components/form/use-unsaved";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input, Textarea } from "@/components/ui/field";
import { submitByKeys } from "@/components/ui/submit-by-keys";
import { toast } from "@/components/ui/toast";
import { projectUpdate, type ProjectSettings as Settings } from "@/lib/domain/projects/schema";

/** The project's name, and the postal address at the end of its campaigns. */
export function ProjectSettings({ initial }: { initial: Settings }) {
  const api = useApi();
  const router = useRouter();
  const may = useMay("admin");
  const [saved, setSaved] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [faults, setFaults] = useState<Faults>({});
  const dirty = draft.name !== saved.name || draft.postalAddress !== saved.postalAddress;
  const save = useMutation({
    mutationFn: (body: Partial<Pick<Settings, "name" | "postalAddress">>) =>
      api("PATCH /v1/project", { body }),
    onSuccess: (settings) => {
      setSaved(settings);
      setDraft(settings);
      toast.success("Settings saved");
      // The sidebar shows the project's name, too.
      router.refresh();
    },
  });
  useUnsaved(may && dirty && !save.isPending);
  const set = (part: Partial<Settings>) => {
    setDraft({ ...draft, ...part });
    setFaults({});
    if (save.isError) save.reset();
  };
  const fault = (name: "name" | "postalAddress") => faults[name] ?? fieldFault(save.error, name);
  const formError = formFault(save.error, ["name", "postalAddress"]);
  return (
    <form
      aria-label="Project"
      noValidate
      onKeyDown={submitByKeys}
      onSubmit={(event) => {
        event.preventDefault();
        if (!may || save.isPending) return;
        const { name, postalAddress } = draft;
        const checked = projectUpdate.safeParse({ name, postalAddress });
        setFaults(checked.success ? {} : schemaFaults(checked.error));
        if (checked.success) save.mutate({ name, postalAddress });
      }}
      className="flex max-w-xl flex-col gap-5"
    >
      {formError && (
        <Callout kind="danger" alert>
          {formError}
        </Callout>
      )}
      {!may && <Callout kind="info">Only admins and owners can change these settings.</Callout>}
      <Field label="Project name" name="name" error={fault("name")}>
        <Input
          value={draft.name}
          readOnly={!may}
          autoComplete="off"
          maxLength={100}
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <Field
        label="Postal address"
        name="postalAddress"
        error={fault("postalAddress")}
        hint="Shown at the end of each campaign, with its line breaks. A campaign to a list with an address of its own shows that one instead."
      >
        <Textarea
          value={draft.postalAddress}
          readOnly={!may}
          rows={4}
          placeholder={"Example Ltd\n1 High Street\nLondon N1 9GU, United Kingdom"}
          onChange={({ target }) => set({ postalAddress: target.value })}
        />
      </Field>
      {may && (
        <div>
          <Button type="submit" variant="primary" pending={save.isPending} disabled={!dirty}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
