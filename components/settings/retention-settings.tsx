"use client";

import { useState } from "react";
import { count } from "@/components/ui/numbers";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { FormFault } from "@/components/form/form-fault";
import { changedPart } from "@/components/form/changed";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { keptKinds, type KeptKind } from "@/db/enums";
import type { ProjectSettings, ProjectUpdate } from "@/lib/domain/projects/schema";
import type { Retention } from "@/lib/domain/retention/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { projectUpdate } from "./schemas";

const labels: Record<KeptKind, string> = phrases({
  emails: "Records of emails",
  contents: "Contents of emails",
  events: "Events of emails",
  links: "Tracked links",
  captured: "Captured mail",
  received: "Received mail",
  webhookDeliveries: "Deliveries of webhooks",
  audit: "Audit log",
  reports: "DMARC and TLS reports",
});

type Draft = Record<KeptKind, string>;

const draftOf = ({ retention }: ProjectSettings) =>
  Object.fromEntries(
    keptKinds.map((kind) => [kind, retention[kind].days?.toString() ?? ""]),
  ) as Draft;

const writtenBy = ({ retention = {} }: ProjectUpdate) =>
  Object.fromEntries(
    Object.entries(retention).map(([kind, days]) => [kind, days?.toString() ?? ""]),
  ) as Partial<Draft>;

const notes: Partial<Record<KeptKind, string>> = phrases({
  emails: "With their events and contents; figures stay.",
  contents: "HTML, text, variables and attachments, but for campaigns’. The record stays.",
  events:
    "By whole months. An email’s status, counts and times stay; a campaign’s devices, countries and hours go.",
  links: "But for campaigns’. A link in a mail that is older leads nowhere.",
});

function hintOf(kind: KeptKind, { atMost }: Retention[KeptKind]): string {
  const days =
    atMost === null
      ? t("Days. Empty: for good.")
      : t("Days. Empty: {count}, which is also the most.", { count: count(atMost) });
  return notes[kind] ? `${notes[kind]} ${days}` : days;
}

/** How long the project keeps a record of what has happened. */
export function RetentionSettings({ initial }: { initial: ProjectSettings }) {
  const api = useApi();
  const may = useMay("admin");
  const [saved, setSaved] = useState(initial);
  const saves = useSaves<ProjectSettings, Draft, ProjectUpdate>({
    saved,
    onNewer: setSaved,
    draftOf,
    written: writtenBy,
    change: (body) => api("PATCH /v1/project", { body }),
    read: () => api("GET /v1/project", {}),
  });
  const form = useForm({
    initial: draftOf(initial),
    schema: projectUpdate,
    input: (draft, base) => ({
      retention: Object.fromEntries(
        Object.entries(changedPart(base, draft)).map(([kind, days]) => [
          kind,
          days.trim() === "" ? null : Number(days),
        ]),
      ),
    }),
    onUnchanged: () => undefined,
    send: saves.save,
    onSent: (stored) => {
      setSaved(stored);
      form.rebase(draftOf(stored));
      toast.success(t("Settings saved"));
    },
  });
  return (
    <Section
      title={t("What is kept")}
      description={t(
        "Anything older is deleted within the hour and cannot be restored. Figures of campaigns and of the overview stay.",
      )}
    >
      <form
        aria-label={t("What is kept")}
        {...form.props}
        className="flex max-w-3xl flex-col gap-5"
      >
        <FormFault of={form} />
        <Unsettled
          form={form}
          saves={saves}
          draftOf={draftOf}
          keptAs={null}
          label={(kind) => labels[kind]}
          tell={(draft, kind) => draft[kind]}
        />
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          {keptKinds.map((kind) => (
            <Field
              key={kind}
              label={labels[kind]}
              name={kind}
              error={form.fault(`retention.${kind}`)}
              hint={hintOf(kind, saved.retention[kind])}
            >
              <Input
                {...form.text(kind)}
                readOnly={!may}
                autoComplete="off"
                inputMode="numeric"
                maxLength={5}
              />
            </Field>
          ))}
        </div>
        {may && (
          <div>
            <Button type="submit" variant="primary" pending={form.pending} disabled={!form.dirty}>
              {t("Save")}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}
