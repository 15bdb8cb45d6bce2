"use client";

import { useRouter } from "next/navigation";
import { useApi } from "@/components/api/use-api";
import { useProjectPath } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { domainCreate } from "@/lib/domain/sending-domains/schema";
import { t } from "@/lib/ground/texts/t";

/** Asks for a domain and goes to its records. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const form = useForm({
    initial: { name: "" },
    schema: domainCreate,
    leaves: true,
    send: (body) => api("POST /v1/domains", { body }),
    onSent: (domain) => {
      onClose();
      router.push(path(`domains/${domain.id}`));
    },
  });
  return (
    <DialogForm
      title={t("Add a sending domain")}
      description={t("On the next page you will find the DNS records that prove it is yours.")}
      action={t("Add domain")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("Domain")}
        name="name"
        hint={t(
          "The part of your sender addresses after the @. A subdomain such as mail.example.com keeps the reputation of your newsletter separate from that of your colleagues’ mail; it covers that exact name only.",
        )}
        error={form.fault("name")}
      >
        <Input
          {...form.text("name")}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          placeholder="mail.example.com"
          className="font-mono"
        />
      </Field>
    </DialogForm>
  );
}
