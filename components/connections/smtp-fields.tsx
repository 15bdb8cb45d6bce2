import type { Form } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { phrases, t } from "@/lib/ground/texts/t";
import type { Draft } from "./connection-draft";

const modes: readonly { value: Draft["tls"]; label: string; hint: string }[] = phrases([
  { value: "required", label: "STARTTLS", hint: "Encrypted after connecting, usual for port 587" },
  { value: "implicit", label: "TLS", hint: "Encrypted from the first byte, usual for port 465" },
  { value: "opportunistic", label: "STARTTLS if offered", hint: "Only without a user name" },
  { value: "off", label: "Never encrypted", hint: "Only without a user name" },
]);

/** What a mail server needs. */
export function SmtpFields({
  form,
  kept,
}: {
  form: Form<Draft>;
  /** A password is already stored. */
  kept: boolean;
}) {
  return (
    <>
      <Field label={t("Host")} name="host" error={form.fault("host")}>
        <Input {...form.text("host")} placeholder="smtp.example.com" autoComplete="off" />
      </Field>
      <Field label={t("Port")} name="port" error={form.fault("port")}>
        <Input {...form.text("port")} inputMode="numeric" autoComplete="off" />
      </Field>
      <Field label={t("Encryption")} name="tls" error={form.fault("tls")}>
        <Select options={modes} value={form.draft.tls} onChange={(tls) => form.set({ tls })} />
      </Field>
      <Field label={t("User name")} name="user" optional error={form.fault("user")}>
        <Input {...form.text("user")} autoComplete="off" />
      </Field>
      <Field
        label={t("Password")}
        name="password"
        optional
        hint={
          kept
            ? t("Kept sealed and never shown. Enter it again when host, port or encryption change.")
            : t("Kept sealed and never shown.")
        }
        error={form.fault("password")}
      >
        <Input {...form.text("password")} type="password" autoComplete="new-password" />
      </Field>
    </>
  );
}
