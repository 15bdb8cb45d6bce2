"use client";

import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/switch";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { t } from "@/lib/ground/texts/t";

/** What is counted for a domain's mail; changes take effect immediately. */
export function DomainTracking({ domain }: { domain: Domain }) {
  const api = useApi();
  const may = useMay("admin");
  const change = useAction({
    mutationFn: (tracking: Partial<Domain["tracking"]>) =>
      api("PATCH /v1/domains/{id}", { params: { id: domain.id }, body: { tracking } }),
    onSuccess: (_, { opens, clicks }) => {
      const before = {
        ...(opens !== undefined && { opens: !opens }),
        ...(clicks !== undefined && { clicks: !clicks }),
      };
      toast.success(t("Tracking changed"), {
        action: { label: t("Undo"), run: () => change.mutate(before) },
      });
    },
    onError: (error) =>
      toast.error(t("Tracking was not changed"), { description: messageOf(error) }),
  });
  const disabled = !may || change.isPending;
  return (
    <Section
      title={t("Tracking")}
      description={t(
        "Whether opens and clicks are counted in mail from this domain. An email or a campaign can override it.",
      )}
    >
      <div className="mt-4 flex flex-col gap-3">
        <Switch
          label={t("Opens")}
          hint={t("With a one-pixel image at the end of the HTML.")}
          checked={domain.tracking.opens}
          onChange={(opens) => change.mutate({ opens })}
          disabled={disabled}
        />
        <Switch
          label={t("Clicks")}
          hint={t("With links that pass through this server.")}
          checked={domain.tracking.clicks}
          onChange={(clicks) => change.mutate({ clicks })}
          disabled={disabled}
        />
      </div>
    </Section>
  );
}
