"use client";

import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { FormFault } from "@/components/form/form-fault";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { count } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import type { CampaignPace } from "@/lib/domain/sending-state/schema";
import { t } from "@/lib/ground/texts/t";

const campaignPace = lazySchema(
  async () => (await import("@/lib/domain/sending-state/schema")).campaignPace,
);

const draftOf = ({ emailsPerHour }: CampaignPace) => ({
  emailsPerHour: emailsPerHour?.toString() ?? "",
});

/** What an hourly pace means per minute or second. */
function hintOf({ emailsPerHour }: CampaignPace): string {
  if (emailsPerHour === null) return t("Empty: as many as the mail server takes.");
  const hourly = count(emailsPerHour);
  const daily = count(emailsPerHour * 24);
  return emailsPerHour >= 120
    ? t(
        "{hourly} an hour: about {minutely} a minute, {daily} a day. Empty: as many as the mail server takes.",
        { hourly, minutely: count(Math.round(emailsPerHour / 60)), daily },
      )
    : t(
        "{hourly} an hour: one every {seconds} seconds, {daily} a day. Empty: as many as the mail server takes.",
        { hourly, seconds: count(Math.round(3_600 / emailsPerHour)), daily },
      );
}

/** How fast the project's campaigns leave. */
export function PaceSettings({ initial }: { initial: CampaignPace }) {
  const api = useApi();
  const may = useMay("admin");
  const [saved, setSaved] = useState(initial);
  const form = useForm({
    initial: draftOf(initial),
    schema: campaignPace,
    input: ({ emailsPerHour }) => ({
      emailsPerHour: emailsPerHour.trim() === "" ? null : Number(emailsPerHour),
    }),
    onUnchanged: () => undefined,
    send: (body) => api("PUT /v1/sending/pace", { body }),
    onSent: (stored) => {
      setSaved(stored);
      form.rebase(draftOf(stored));
      toast.success(t("Pace saved"));
    },
  });
  return (
    <Section
      title={t("Pace of campaigns")}
      description={t(
        "The most emails that all campaigns together send in an hour, spread evenly over it. It takes effect at once, also for campaigns that are being sent. Other mail is not limited.",
      )}
    >
      <form
        id="pace"
        aria-label={t("Pace of campaigns")}
        {...form.props}
        className="flex max-w-xl flex-col gap-5"
      >
        <FormFault of={form} />
        <Field
          label={t("Emails an hour")}
          name="emailsPerHour"
          error={form.fault("emailsPerHour")}
          hint={hintOf(saved)}
        >
          <Input
            {...form.text("emailsPerHour")}
            readOnly={!may}
            autoComplete="off"
            inputMode="numeric"
            maxLength={8}
          />
        </Field>
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
