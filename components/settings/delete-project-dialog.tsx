"use client";

import { useRouter } from "next/navigation";
import { useApi } from "@/components/api/use-api";
import { useProject } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { projectDelete } from "@/lib/domain/projects/schema";
import { t } from "@/lib/ground/texts/t";
import { useProof, type Proofs } from "./passkey-dialogs";

/** Asks for the project's name and, of those who have one, for a proof of who they are. */
export function DeleteProjectDialog({ proofs, onClose }: { proofs: Proofs; onClose: () => void }) {
  const api = useApi();
  const router = useRouter();
  const project = useProject();
  const proof = useProof(proofs);
  const form = useForm({
    initial: { name: "", code: "", password: "" },
    schema: projectDelete,
    input: ({ name, ...draft }) => ({ name, ...proof.of(draft) }),
    check: ({ name }) =>
      name.trim() === project.name ? {} : { name: t("This is not the project’s name.") },
    guard: false,
    leaves: true,
    send: (body) => api("POST /v1/project/delete", { body }),
    onSent: () => {
      toast.success(t("{name} was deleted", { name: project.name }));
      router.replace("/dashboard");
    },
  });
  return (
    <DialogForm
      keepOpen
      danger
      title={t("Delete “{name}”?", { name: project.name })}
      description={t(
        "Keys and tokens stop working at once, scheduled campaigns are cancelled, and waiting mail is not sent. Everything the project held is then deleted in the background. This cannot be undone.",
      )}
      action={t("Delete project")}
      cancel={t("Keep it")}
      form={form}
      onClose={onClose}
    >
      <Field
        label={t("Name of the project")}
        name="name"
        hint={t("Type {name} to confirm.", { name: project.name })}
        error={form.fault("name")}
      >
        <Input {...form.text("name")} autoComplete="off" />
      </Field>
      {proof.field(form)}
    </DialogForm>
  );
}
