"use client";

import { useState } from "react";
import { count } from "@/components/ui/numbers";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { FormFault } from "@/components/form/form-fault";
import { changedPart } from "@/components/form/changed";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { keptKinds, type KeptKind } from "@/db/enums";
import { projectUpdate, type ProjectSettings } from "@/lib/domain/projects/schema";
import type { Retention } from "@/lib/domain/retention/schema";

const labels: Record<KeptKind, string> = {
  emails: "Records of emails",
  captured: "Captured mail",
  webhookDeliveries: "Deliveries of webhooks",
  audit: "Audit log",
  reports: "DMARC and TLS reports",
};

const draftOf = (retention: Retention) =>
  Object.fromEntries(
    keptKinds.map((kind) => [kind, retention[kind].days?.toString() ?? ""]),
  ) as Record<KeptKind, string>;

const hintOf = (kind: KeptKind, { atMost }: Retention[KeptKind]) =>
  `${kind === "emails" ? "With their events and content; figures stay. " : ""}Days. Empty: ${
    atMost === null ? "for good" : `${count(atMost)}, which is also the most`
  }.`;

/** How long the project keeps a record of what has happened. */
export function RetentionSettings({ initial }: { initial: ProjectSettings }) {
  const api = useApi();
  const may = useMay("admin");
  const [saved, setSaved] = useState(initial.retention);
  const form = useForm({
    initial: draftOf(initial.retention),
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
    send: (body) => api("PATCH /v1/project", { body }),
    onSent: ({ retention }) => {
      setSaved(retention);
      form.rebase(draftOf(retention));
      toast.success("Settings saved");
    },
  });
  return (
    <Section
      title="What is kept"
      description="Anything older is deleted within the hour and cannot be restored. Figures of campaigns and of the overview stay."
    >
      <form aria-label="What is kept" {...form.props} className="flex max-w-xl flex-col gap-5">
        <FormFault of={form} />
        {keptKinds.map((kind) => (
          <Field
            key={kind}
            label={labels[kind]}
            name={kind}
            error={form.fault(`retention.${kind}`)}
            hint={hintOf(kind, saved[kind])}
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
        {may && (
          <div>
            <Button type="submit" variant="primary" pending={form.pending} disabled={!form.dirty}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}
