"use client";

import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { FormFault } from "@/components/form/form-fault";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { count } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { campaignPace, type CampaignPace } from "@/lib/domain/sending-state/schema";

const draftOf = ({ emailsPerHour }: CampaignPace) => ({
  emailsPerHour: emailsPerHour?.toString() ?? "",
});

/** What an hourly pace means per minute or second. */
function hintOf({ emailsPerHour }: CampaignPace): string {
  if (emailsPerHour === null) return "Empty: as many as the mail server takes.";
  const rate =
    emailsPerHour >= 120
      ? `about ${count(Math.round(emailsPerHour / 60))} a minute`
      : `one every ${count(Math.round(3_600 / emailsPerHour))} seconds`;
  return `${count(emailsPerHour)} an hour: ${rate}, ${count(emailsPerHour * 24)} a day. Empty: as many as the mail server takes.`;
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
      toast.success("Pace saved");
    },
  });
  return (
    <Section
      title="Pace of campaigns"
      description="The most emails that all campaigns together send in an hour, spread evenly over it. It takes effect at once, also for campaigns that are being sent. Other mail is not limited."
    >
      <form
        id="pace"
        aria-label="Pace of campaigns"
        {...form.props}
        className="flex max-w-xl flex-col gap-5"
      >
        <FormFault of={form} />
        <Field
          label="Emails an hour"
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
              Save
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}
