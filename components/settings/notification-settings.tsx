"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/switch";
import { teamLetterKinds, type TeamLetterKind } from "@/db/enums";
import type { TeamLetterChoices } from "@/lib/domain/team-letters/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const words: Record<TeamLetterKind, { label: string; hint: string }> = phrases({
  campaignSent: {
    label: "A campaign has been sent",
    hint: "Once it has gone out to everyone it was for.",
  },
  campaignStopped: {
    label: "A campaign was stopped",
    hint: "Paused to protect your reputation or by the monthly limit, or failed.",
  },
  domainFailed: {
    label: "A domain is no longer verified",
    hint: "Its DNS records are missing or wrong, so nothing can be sent from it.",
  },
  mailReplaced: {
    label: "A standard email was sent instead of yours",
    hint: "The template of a list’s or form’s own email was missing or could not be used.",
  },
  sendingHeld: {
    label: "Mail is being held back",
    hint: "A mail server is down, refuses the password, or refuses one of your domains.",
  },
  webhookDisabled: {
    label: "A webhook was switched off",
    hint: "Its endpoint has failed for five days or answered 410 Gone.",
  },
  weeklySummary: {
    label: "Weekly summary",
    hint: "Mondays at 7:00 UTC: last week’s figures beside those of the week before.",
  },
  workFailed: {
    label: "An import or a change of many contacts has failed",
    hint: "What was done by then stays; the rest has to be started again.",
  },
});

/** Which mails about the project the viewer gets. */
export function NotificationSettings({ initial }: { initial: TeamLetterChoices }) {
  const api = useApi();
  const [choices, setChoices] = useState(initial);
  const change = useAction({
    mutationFn: (update: Partial<TeamLetterChoices>) =>
      api("PATCH /v1/notifications", { body: update }),
    onSuccess: (saved) => {
      setChoices(saved);
      toast.success(t("Notifications saved"));
    },
    onError: (error) => toast.error(t("Nothing was changed"), { description: messageOf(error) }),
  });
  return (
    <Section
      title={t("Emails to you")}
      description={t("What we write to you about this project. Everyone chooses for themselves.")}
    >
      <div className="flex flex-col gap-4">
        {teamLetterKinds.map((kind) => (
          <Switch
            key={kind}
            {...words[kind]}
            checked={choices[kind]}
            onChange={(wanted) => change.mutate({ [kind]: wanted })}
            disabled={change.isPending}
          />
        ))}
      </div>
    </Section>
  );
}
