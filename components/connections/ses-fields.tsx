import type { Form } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
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
      <Field label="Region" name="region" error={form.fault("region")}>
        <Input {...form.text("region")} placeholder="eu-central-1" autoComplete="off" />
      </Field>
      <Field
        label="Access key ID"
        name="accessKeyId"
        hint={providers.ses.keyHint}
        error={form.fault("accessKeyId")}
      >
        <Input {...form.text("accessKeyId")} autoComplete="off" />
      </Field>
      <Field
        label="Secret access key"
        name="secretAccessKey"
        optional={kept}
        hint={
          kept
            ? "Kept sealed and never shown. Enter one to replace it."
            : "Kept sealed and never shown."
        }
        error={form.fault("secretAccessKey")}
      >
        <Input {...form.text("secretAccessKey")} type="password" autoComplete="new-password" />
      </Field>
      <Field
        label="Configuration set"
        name="configurationSet"
        optional
        hint="With one, SES can report all events of this mail, whichever domain it is from."
        error={form.fault("configurationSet")}
      >
        <Input {...form.text("configurationSet")} autoComplete="off" />
      </Field>
      <Field
        label="SNS topic"
        name="topicArn"
        optional
        hint="Its ARN. Left empty, the first topic that is subscribed becomes the only one."
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
