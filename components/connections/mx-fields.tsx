import type { Form } from "@/components/form/use-form";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { phrases, t } from "@/lib/ground/texts/t";
import type { Draft } from "./connection-draft";

const modes: readonly { value: Draft["tls"]; label: string; hint: string }[] = phrases([
  {
    value: "opportunistic",
    label: "Where the receiver offers it",
    hint: "And always where its MTA-STS policy says so",
  },
  {
    value: "required",
    label: "Always, with a valid certificate",
    hint: "Mail to receivers without one waits, and bounces after four days",
  },
]);

/** What is needed to send mail straight to receivers. */
export function MxFields({ form }: { form: Form<Draft> }) {
  return (
    <>
      <Callout kind="info" title={t("What has to be in order")}>
        {t(
          "Mail leaves from this installation’s own addresses. Port 25 has to lead out, the reverse DNS of each address has to be the installation’s host name, and that name has to lead back. The test of the connection checks all three.",
        )}
      </Callout>
      <Field label={t("Encryption")} name="tls" error={form.fault("tls")}>
        <Select options={modes} value={form.draft.tls} onChange={(tls) => form.set({ tls })} />
      </Field>
      <Field
        label={t("Emails a minute to one host")}
        name="messagesPerMinute"
        optional
        hint={t(
          "At most, from each worker. A receiver that asks for less gets less in either case.",
        )}
        error={form.fault("messagesPerMinute")}
      >
        <Input {...form.text("messagesPerMinute")} inputMode="numeric" autoComplete="off" />
      </Field>
    </>
  );
}
