"use client";

import { useRouter } from "next/navigation";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { changedPart } from "@/components/form/changed";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input, Textarea } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { projectUpdate, type ProjectSettings as Settings } from "@/lib/domain/projects/schema";

const editable = ({ name, postalAddress }: Settings) => ({ name, postalAddress });

/** The project's name, and the postal address at the end of its campaigns. */
export function ProjectSettings({ initial }: { initial: Settings }) {
  const api = useApi();
  const router = useRouter();
  const may = useMay("admin");
  const form = useForm({
    initial: editable(initial),
    schema: projectUpdate,
    input: (draft, base) => changedPart(base, draft),
    onUnchanged: () => undefined,
    send: (body) => api("PATCH /v1/project", { body }),
    onSent: (saved) => {
      form.rebase(editable(saved));
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
