import type { Form } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { t } from "@/lib/ground/texts/t";
import type { Draft } from "./connection-draft";
import { providers } from "./connection-kinds";

/** What Amazon SES needs. */
export function SesFields({
  form,
  kept,
}: {
  form: Form<Draft>;
  /** A secret is already stored. */
  kept: boolean;
}) {
  return (
    <>
      <Field label={t("Region")} name="region" error={form.fault("region")}>
        <Input {...form.text("region")} placeholder="eu-central-1" autoComplete="off" />
      </Field>
      <Field
        label={t("Access key ID")}
        name="accessKeyId"
        hint={providers.ses.keyHint}
        error={form.fault("accessKeyId")}
      >
        <Input {...form.text("accessKeyId")} autoComplete="off" />
      </Field>
      <Field
        label={t("Secret access key")}
        name="secretAccessKey"
        optional={kept}
        hint={
          kept
            ? t("Kept sealed and never shown. Enter one to replace it.")
            : t("Kept sealed and never shown.")
        }
        error={form.fault("secretAccessKey")}
      >
        <Input {...form.text("secretAccessKey")} type="password" autoComplete="new-password" />
      </Field>
      <Field
        label={t("Configuration set")}
        name="configurationSet"
        optional
        hint={t("With one, SES can report all events of this mail, whichever domain it is from.")}
        error={form.fault("configurationSet")}
      >
        <Input {...form.text("configurationSet")} autoComplete="off" />
      </Field>
      <Field
        label={t("SNS topic")}
        name="topicArn"
        optional
        hint={t("Its ARN. Left empty, the first topic that is subscribed becomes the only one.")}
        error={form.fault("topicArn")}
      >
        <Input
          {...form.text("topicArn")}
          placeholder="arn:aws:sns:eu-central-1:123456789012:lettermill"
          autoComplete="off"
        />
      </Field>
    </>
  );
}
