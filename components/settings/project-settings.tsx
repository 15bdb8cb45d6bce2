"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { FormFault } from "@/components/form/form-fault";
import { changedPart } from "@/components/form/changed";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ColorField } from "@/components/ui/color-field";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { ProjectSettings as Settings, ProjectUpdate } from "@/lib/domain/projects/schema";
import { standardColor } from "@/lib/ground/ink";
import { phrases, t } from "@/lib/ground/texts/t";
import { BesidePreview, RecipientPreview } from "./recipient-preview";
import { projectUpdate } from "./schemas";

const editable = ({ name, postalAddress, mailReason, language, brandColor }: Settings) => ({
  name,
  postalAddress,
  mailReason,
  language,
  brandColor: brandColor ?? "",
});
type Draft = ReturnType<typeof editable>;

const labels = phrases({
  name: "Project name",
  postalAddress: "Postal address",
  mailReason: "Reason for receiving",
  language: "Language",
  brandColor: "Colour",
});

/** Where these settings are seen. */
const pages = ["preferences", "unsubscribe", "confirmation", "form", "sent", "mail"] as const;

/** The changed fields; a colour that was cleared becomes ours again. */
function changesOf(base: Draft, draft: Draft) {
  const { brandColor, ...changes } = changedPart(base, draft);
  return brandColor === undefined ? changes : { ...changes, brandColor: brandColor || null };
}

/** The project's name, its postal address, and how its recipients' pages look and speak. */
export function ProjectSettings({ initial }: { initial: Settings }) {
  const api = useApi();
  const router = useRouter();
  const may = useMay("admin");
  const [saved, setSaved] = useState(initial);
  const saves = useSaves<Settings, Draft, ProjectUpdate>({
    saved,
    onNewer: setSaved,
    draftOf: editable,
    change: (body) => api("PATCH /v1/project", { body }),
    read: () => api("GET /v1/project", {}),
  });
  const form = useForm({
    initial: editable(initial),
    schema: projectUpdate,
    input: (draft, base) => changesOf(base, draft),
    onUnchanged: () => undefined,
    send: saves.save,
    onSent: (stored) => {
      setSaved(stored);
      form.rebase(editable(stored));
      toast.success(t("Settings saved"));
      // The sidebar shows the project's name, too.
      router.refresh();
    },
  });
  const { name, postalAddress, language, brandColor } = form.draft;
  const seen = { name, postalAddress, language, brandColor: brandColor || null };
  return (
    <BesidePreview preview={<RecipientPreview draft={seen} views={pages} />}>
      <form aria-label={t("Project")} {...form.props} className="flex max-w-xl flex-col gap-5">
        <FormFault of={form} />
        <Unsettled
          form={form}
          saves={saves}
          draftOf={editable}
          keptAs={initial.id}
          label={(field) => labels[field]}
          tell={(draft, field) => draft[field]}
        />
        {!may && (
          <Callout kind="info">{t("Only admins and owners can change these settings.")}</Callout>
        )}
        <Field label={t("Project name")} name="name" error={form.fault("name")}>
          <Input {...form.text("name")} readOnly={!may} autoComplete="off" maxLength={100} />
        </Field>
        <Field
          label={t("Postal address")}
          name="postalAddress"
          error={form.fault("postalAddress")}
          hint={t(
            "Shown at the end of each campaign, with its line breaks. A campaign to a list with an address of its own shows that one instead.",
          )}
        >
          <Textarea
            {...form.text("postalAddress")}
            readOnly={!may}
            rows={4}
            placeholder={t("Example Ltd\n1 High Street\nLondon N1 9GU, United Kingdom")}
          />
        </Field>
        <Field
          label={t("Reason for receiving")}
          name="mailReason"
          error={form.fault("mailReason")}
          hint={t(
            "Tells people at the end of each campaign why they get it. If empty, it says how each of them joined the list, or how they subscribed if it goes to no list, in their own language.",
          )}
        >
          <Textarea
            {...form.text("mailReason")}
            readOnly={!may}
            rows={2}
            maxLength={300}
            placeholder={t("You are receiving this because you have an account with Example Ltd.")}
          />
        </Field>
        <Field
          label={t("Language")}
          name="language"
          error={form.fault("language")}
          hint={t(
            "Of preference pages, forms and system emails for people whose own language is unknown. A contact’s language is the custom attribute language, such as de.",
          )}
        >
          <Select
            options={saved.languages.map(({ code, name }) => ({ value: code, label: name }))}
            value={form.draft.language}
            onChange={(language) => form.set({ language })}
            disabled={!may}
          />
        </Field>
        <div className="flex flex-col gap-1.5">
          <ColorField
            label={t("Colour of the buttons")}
            value={brandColor || null}
            standard={standardColor}
            disabled={!may}
            onChange={(color) => form.set({ brandColor: color })}
            onStandard={() => form.set({ brandColor: "" })}
          />
          <p className="text-xs text-faint">{t("On the pages your recipients see.")}</p>
        </div>
        {may && (
          <div>
            <Button type="submit" variant="primary" pending={form.pending} disabled={!form.dirty}>
              {t("Save")}
            </Button>
          </div>
        )}
      </form>
    </BesidePreview>
  );
}
