"use client";

import { useRouter } from "next/navigation";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { projectCreate } from "@/lib/domain/projects/schema";
import { t } from "@/lib/ground/texts/t";

/** Asks for a name, makes another project and goes there. */
export function NewProject({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const router = useRouter();
  const form = useForm({
    initial: { name: "" },
    schema: projectCreate,
    guard: false,
    leaves: true,
    send: (body) => api("POST /v1/project/create", { body }),
    onSent: ({ id, name }) => {
      toast.success(t("{name} was created", { name }));
      onClose();
      router.push(`/dashboard/${id}`);
    },
  });
  return (
    <DialogForm
      title={t("New project")}
      description={t(
        "It has its own contacts, domains, API keys and members. You will be its owner.",
      )}
      action={t("Create")}
      form={form}
      onClose={onClose}
    >
      <Field label={t("Name")} name="name" error={form.fault("name")}>
        <Input {...form.text("name")} autoComplete="off" maxLength={100} />
      </Field>
    </DialogForm>
  );
}
