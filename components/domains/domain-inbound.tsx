"use client";

import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/switch";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { t } from "@/lib/ground/texts/t";

/** Whether mail to a domain's addresses is accepted. */
export function DomainInbound({ domain }: { domain: Domain }) {
  const api = useApi();
  const may = useMay("admin");
  const change = useAction({
    mutationFn: (inbound: boolean) =>
      api("PATCH /v1/domains/{id}", { params: { id: domain.id }, body: { inbound } }),
    onSuccess: ({ inbound }) =>
      inbound
        ? toast.success(t("Inbound mail is on"), {
            description: t("Now publish the MX record shown with the other records."),
          })
        : toast.success(t("Inbound mail is off")),
    onError: (error) =>
      toast.error(t("Inbound mail was not changed"), { description: messageOf(error) }),
  });
  return (
    <Section
      title={t("Inbound mail")}
      description={t(
        "Accepts mail to any address of this domain, checks it, keeps it and sends it to your webhooks. Leave it off if people have mailboxes here; use a subdomain instead.",
      )}
    >
      <div className="mt-4">
        <Switch
          label={t("Take mail")}
          hint={
            domain.inbound && domain.status !== "VERIFIED"
              ? t("Mail is taken once the domain is verified.")
              : t("Needs its MX record, which is added to the records above.")
          }
          checked={domain.inbound}
          onChange={(inbound) => change.mutate(inbound)}
          disabled={!may || change.isPending}
        />
      </div>
    </Section>
  );
}
