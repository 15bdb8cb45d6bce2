"use client";

import type { Form } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Checkbox } from "@/components/ui/checkbox";
import { connectionKinds, type ConnectionKind, type ProviderKind } from "@/db/enums";
import type { Connection } from "@/lib/domain/connections/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { choicesFor, type Draft } from "./connection-draft";
import { providers } from "./connection-kinds";
import { MxFields } from "./mx-fields";
import { SesFields } from "./ses-fields";
import { SmtpFields } from "./smtp-fields";

const ownKinds = phrases({
  smtp: { label: "A mail server (SMTP)", hint: "Any server that takes mail over SMTP" },
  mx: { label: "Straight to receivers (MX)", hint: "To their own servers, with none between" },
});
const kinds = () =>
  connectionKinds.map((value) =>
    value === "smtp" || value === "mx"
      ? { value, label: ownKinds[value].label, hint: ownKinds[value].hint }
      : { value, label: providers[value].name, hint: providers[value].hint },
  );
const sessionsOf = (kind: ConnectionKind) => {
  switch (kind) {
    case "smtp":
      return {
        label: t("Sessions at once"),
        hint: t("As many as the server allows, from 1 to 50."),
      };
    case "mx":
      return {
        label: t("Sessions at once with one host"),
        hint: t(
          "From 1 to 50. Large receivers refuse more than a few from a machine they do not know.",
        ),
      };
    default:
      return {
        label: t("Requests at once"),
        hint: t("As many as {provider} allows, from 1 to 50.", { provider: providers[kind].name }),
      };
  }
};
const regions = phrases([
  { value: "us", label: "United States" },
  { value: "eu", label: "European Union" },
]);

/** The fields of a connection: its kind first, then what that needs. */
export function ConnectionFields({
  form,
  others,
  mx = false,
  saved,
}: {
  form: Form<Draft>;
  others: readonly Connection[];
  /** Whether a new one may be of the kind `mx`. */
  mx?: boolean;
  /** Absent: it is a new one. */
  saved?: Connection;
}) {
  const { kind } = form.draft;
  const fallbacks = [
    { value: "", label: t("None: mail waits") },
    ...others.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      {!saved && (
        <Field label={t("Sends through")} name="kind" error={form.fault("kind")}>
          <Select
            options={kinds().filter(({ value }) => mx || value !== "mx")}
            value={kind}
            onChange={(next) => form.set(choicesFor(next))}
          />
        </Field>
      )}
      <Field label={t("Name")} name="name" error={form.fault("name")}>
        <Input {...form.text("name")} maxLength={100} autoComplete="off" />
      </Field>
      {kind === "smtp" && (
        <SmtpFields form={form} kept={saved?.kind === "smtp" && saved.user !== null} />
      )}
      {kind === "mx" && <MxFields form={form} />}
      {kind === "ses" && <SesFields form={form} kept={saved !== undefined} />}
      {kind !== "smtp" && kind !== "mx" && kind !== "ses" && (
        <ProviderFields form={form} kind={kind} saved={saved} />
      )}
      <Field {...sessionsOf(kind)} name="sessions" error={form.fault("sessions")}>
        <Input {...form.text("sessions")} inputMode="numeric" autoComplete="off" />
      </Field>
      {others.length > 0 && (
        <Field
          label={t("Fallback")}
          name="fallbackId"
          hint={t("Takes over while this one cannot be used or asks for less mail.")}
          error={form.fault("fallbackId")}
        >
          <Select
            options={fallbacks}
            value={form.draft.fallbackId}
            onChange={(fallbackId) => form.set({ fallbackId })}
          />
        </Field>
      )}
      <Checkbox
        label={t("Standard connection")}
        hint={t("Sends the mail of all domains that do not choose another.")}
        checked={form.draft.standard}
        onChange={(standard) => form.set({ standard })}
      />
    </>
  );
}

function ProviderFields({
  form,
  kind,
  saved,
}: {
  form: Form<Draft>;
  kind: Exclude<ProviderKind, "ses">;
  saved: Connection | undefined;
}) {
  const { keyHint, secret } = providers[kind];
  const hasSecret = saved !== undefined && "hasWebhookSecret" in saved && saved.hasWebhookSecret;
  return (
    <>
      {kind === "mailgun" && (
        <>
          <Field
            label={t("Sending domain")}
            name="sendingDomain"
            hint={t("As Mailgun knows it.")}
            error={form.fault("sendingDomain")}
          >
            <Input
              {...form.text("sendingDomain")}
              placeholder="mg.example.com"
              autoComplete="off"
            />
          </Field>
          <Field label={t("Region")} name="region" error={form.fault("region")}>
            <Select
              options={regions}
              value={form.draft.region}
              onChange={(region) => form.set({ region })}
            />
          </Field>
        </>
      )}
      <Field
        label={t("API key")}
        name="apiKey"
        optional={saved !== undefined}
        hint={
          saved
            ? t("Kept sealed and never shown. Enter one to replace it.")
            : `${keyHint} ${t("Kept sealed.")}`
        }
        error={form.fault("apiKey")}
      >
        <Input {...form.text("apiKey")} type="password" autoComplete="new-password" />
      </Field>
      {kind === "postmark" && (
        <>
          <Field
            label={t("Stream of campaigns")}
            name="campaignStream"
            error={form.fault("campaignStream")}
          >
            <Input {...form.text("campaignStream")} autoComplete="off" />
          </Field>
          <Field
            label={t("Stream of all other mail")}
            name="messageStream"
            error={form.fault("messageStream")}
          >
            <Input {...form.text("messageStream")} autoComplete="off" />
          </Field>
        </>
      )}
      {secret && (
        <Field
          label={secret.label}
          name="webhookSecret"
          optional
          hint={
            hasSecret ? t("Kept sealed and never shown. Enter one to replace it.") : secret.hint
          }
          error={form.fault("webhookSecret")}
        >
          <Input {...form.text("webhookSecret")} type="password" autoComplete="new-password" />
        </Field>
      )}
    </>
  );
}
