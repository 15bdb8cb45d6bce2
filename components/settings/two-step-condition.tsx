"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/switch";
import type { ProjectSettings } from "@/lib/domain/projects/schema";
import { t } from "@/lib/ground/texts/t";

/** Whether the project requires two-step sign-in of its members. */
export function TwoStepCondition({ initial }: { initial: ProjectSettings }) {
  const api = useApi();
  const may = useMay("owner");
  const [isOn, setOn] = useState(initial.requiresTwoStep);
  const change = useAction({
    mutationFn: (requiresTwoStep: boolean) =>
      api("PATCH /v1/project", { body: { requiresTwoStep } }),
    onSuccess: ({ requiresTwoStep }) => {
      setOn(requiresTwoStep);
      toast.success(
        requiresTwoStep
          ? t("Members now need two-step sign-in")
          : t("Two-step sign-in is up to members"),
      );
    },
    onError: (error) => toast.error(t("Nothing was changed"), { description: messageOf(error) }),
  });
  return (
    <Section
      title={t("Who is let in")}
      description={t("Only an owner whose own two-step sign-in is on can change this.")}
    >
      <Switch
        label={t("Members need two-step sign-in")}
        hint={t(
          "Members without it have to switch it on before they see anything of this project. API keys and platform tokens keep working.",
        )}
        checked={isOn}
        onChange={(next) => change.mutate(next)}
        disabled={!may || change.isPending}
      />
    </Section>
  );
}
