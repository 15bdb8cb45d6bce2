"use client";

import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Section } from "@/components/ui/page-header";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { ConnectionList } from "@/lib/domain/connections/schema";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { t } from "@/lib/ground/texts/t";

/** Which mail server a domain's mail leaves through, if the project has servers of its own. */
export function DomainConnection({ domain, initial }: { domain: Domain; initial: ConnectionList }) {
  const api = useApi();
  const may = useMay("admin");
  const reading = useRead("GET /v1/connections", {}, { initial, every: 60_000 });
  const change = useAction({
    mutationFn: (connectionId: string | null) =>
      api("PATCH /v1/domains/{id}", { params: { id: domain.id }, body: { connectionId } }),
    onSuccess: () =>
      toast.success(t("Sending connection changed"), {
        description: t("From the next minute on."),
      }),
    onError: (error) =>
      toast.error(t("The sending connection was not changed"), { description: messageOf(error) }),
  });
  const connections = reading.data.data;
  if (connections.length === 0) return null;
  const standard = connections.find((connection) => connection.standard);
  const usual = standard
    ? t("Standard: {name}", { name: standard.name })
    : t("The installation’s mail server");
  return (
    <Section
      title={t("Sending connection")}
      description={t("What mail from this domain leaves through.")}
    >
      <NotUpToDate of={reading} title={t("The connections are out of date")} />
      <div className="max-w-sm">
        <Select
          label={t("Sending connection")}
          options={[
            { value: "", label: usual },
            ...connections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={domain.connectionId ?? ""}
          onChange={(id) => change.mutate(id || null)}
          disabled={!may || change.isPending}
        />
      </div>
    </Section>
  );
}
