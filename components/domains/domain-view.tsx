"use client";

import { RefreshCw } from "lucide-react";
import { useStore } from "@/components/api/use-store";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DeleteThing } from "@/components/shell/delete-button";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyTextButton, CopyableCode } from "@/components/ui/copy-button";
import { PageHeader, Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type { ConnectionList } from "@/lib/domain/connections/schema";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import type { Warmup } from "@/lib/domain/warm-up/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { DomainDmarc } from "./dmarc";
import { DomainConnection } from "./domain-connection";
import { DomainInbound } from "./domain-inbound";
import { DomainLinks } from "./domain-links";
import { DomainSes } from "./domain-ses";
import { DomainStatus } from "./domain-status";
import { DomainTracking } from "./domain-tracking";
import { RecordCard } from "./record-card";
import { isUntold } from "./ses-words";
import { DomainWarmup } from "./warm-up";
import { zoneFile } from "./zone-file";

/** The result of a check, in one sentence. */
function outcome({ name, records, status }: Domain): { good: boolean; text: string } {
  const problems = records.filter((record) => record.required && record.problem);
  if (status === "VERIFIED" && problems.length === 0)
    return { good: true, text: t("{name} is verified", { name }) };
  const text = t(
    "{count, plural, one {One record is not right yet} other {# records are not right yet}}",
    { count: problems.length },
  );
  return { good: false, text };
}

/** One domain: its status, its records, and what can be done with it. */
export function DomainView({
  initial,
  warmup,
  connections,
}: {
  initial: Domain;
  warmup: Warmup;
  connections: ConnectionList;
}) {
  const api = useApi();
  const path = useProjectPath();
  const store = useStore("GET /v1/domains/{id}");
  const input = { params: { id: initial.id } };
  const reading = useRead("GET /v1/domains/{id}", input, {
    initial,
    // While it is checked in the background, the page follows.
    every: (seen) => {
      const waits =
        (Boolean(seen?.trackingHost) && !seen?.trackingHostActive) ||
        Boolean(seen?.ses.some(({ status }) => status !== "VERIFIED"));
      return seen?.status === "PENDING" ? 5_000 : waits ? 20_000 : 60_000;
    },
  });
  const domain = reading.data;
  const verify = useAction({
    mutationFn: () => api("POST /v1/domains/{id}/verify", { params: { id: domain.id } }),
    onSuccess: (seen) => {
      store(input, seen);
      const { good, text } = outcome(seen);
      if (good) toast.success(text);
      else toast.error(text, { description: t("Each record below shows what was found.") });
    },
    onError: (error) =>
      toast.error(t("The domain could not be checked"), { description: messageOf(error) }),
  });
  const may = useMay("admin");
  return (
    <>
      <PageHeader
        title={domain.name}
        back={{ href: path("domains"), label: t("Domains") }}
        meta={
          <>
            <DomainStatus domain={domain} />
            <CopyableCode text={domain.id} what={t("domain id")} />
          </>
        }
        actions={
          may &&
          !domain.builtIn && (
            <>
              <DeleteDomain domain={domain} />
              <Button variant="primary" pending={verify.isPending} onClick={() => verify.mutate()}>
                <RefreshCw aria-hidden />
                {domain.status === "VERIFIED" ? t("Check again") : t("Verify now")}
              </Button>
            </>
          )
        }
      />
      <NotUpToDate of={reading} />
      <div className="mb-8">
        <StatusNotice domain={domain} checking={verify.isPending} />
      </div>
      {domain.records.length > 0 && (
        <Section
          title={t("DNS records")}
          description={t(
            "Publish these at your DNS provider. Many providers add the domain to the name themselves: if yours does, enter only the part before it.",
          )}
          actions={
            <CopyTextButton
              text={zoneFile([...domain.records, ...domain.ses.flatMap(({ records }) => records)])}
              label={t("Copy as zone file")}
              size="sm"
            />
          }
        >
          <ul className="mt-5">
            {domain.records.map((record) => (
              <RecordCard key={record.purpose} record={record} />
            ))}
          </ul>
        </Section>
      )}
      <DomainSes domain={domain} connections={connections} />
      {(domain.status === "VERIFIED" || domain.warmup.enabled) && (
        <DomainWarmup domain={domain} initial={warmup} />
      )}
      {!domain.builtIn && <DomainDmarc domain={domain} />}
      {!domain.builtIn && <DomainInbound domain={domain} />}
      {!domain.builtIn && <DomainConnection domain={domain} initial={connections} />}
      {!domain.builtIn && <DomainLinks domain={domain} />}
      <DomainTracking domain={domain} />
    </>
  );
}

/** What the state means and what happens next. */
function StatusNotice({ domain, checking }: { domain: Domain; checking: boolean }) {
  if (checking) {
    return (
      <Callout kind="info" title={t("Checking DNS records")}>
        {t("This takes a few seconds, or longer if a server does not answer.")}
      </Callout>
    );
  }
  if (domain.builtIn) {
    return domain.status === "VERIFIED" ? (
      <Callout kind="success" title={t("Ready to use, no setup needed")}>
        {t(
          "Mail is captured here instead of being sent, so addresses at {name} need no DNS. Everything you send appears in the captured mailbox.",
          { name: domain.name },
        )}
      </Callout>
    ) : (
      <Callout kind="info" title={t("Not in use")}>
        {t("This installation sends real mail, and {name} is for testing only.", {
          name: domain.name,
        })}
      </Callout>
    );
  }
  if (domain.status === "VERIFIED") {
    const recordMissing = domain.records.some(
      ({ required, status }) => required && status === "FAILED",
    );
    if (domain.ses.length > 0 && domain.ses.every(({ status }) => status !== "VERIFIED")) {
      return domain.ses.some(isUntold) ? (
        <Callout kind="warning" title={t("Verified here, but Amazon SES could not be told")}>
          {t(
            "Unless you verified {name} there yourself, its mail waits. What Amazon says stands below the records.",
            { name: domain.name },
          )}
        </Callout>
      ) : (
        <Callout kind="info" title={t("Verified here, and not yet at Amazon SES")}>
          {t(
            "Mail from {name} waits until Amazon SES knows the domain as well. How far that is stands below the records.",
            { name: domain.name },
          )}
        </Callout>
      );
    }
    return recordMissing ? (
      <Callout kind="warning" title={t("Verified, but a record is missing")}>
        {t(
          "Mail is still sent. If the DKIM record is missing three days in a row, the domain is no longer verified.",
        )}
      </Callout>
    ) : (
      <Callout kind="success" title={t("You can send from this domain")}>
        {rich(
          "Mail from any address at {name} is signed. The records are checked once a day; last checked {when}.",
          { name: domain.name, when: <RelativeTime value={domain.checkedAt} /> },
        )}
      </Callout>
    );
  }
  if (!domain.checkedAt) {
    return (
      <Callout kind="info" title={t("Publish these records, then verify")}>
        {t(
          "New records usually appear within minutes. You do not have to wait here: after the first check, we keep checking for three days.",
        )}
      </Callout>
    );
  }
  return domain.nextCheckAt ? (
    <Callout kind="info" title={t("Waiting for the records to appear")}>
      {rich("Last checked {last}, next automatic check {next}. You can close this page.", {
        last: <RelativeTime value={domain.checkedAt} />,
        next: <RelativeTime value={domain.nextCheckAt} />,
      })}
    </Callout>
  ) : (
    <Callout kind="danger" title={t("The records did not appear within three days")}>
      {t(
        "Automatic checks have stopped. Compare what was found with what is expected, then verify again.",
      )}
    </Callout>
  );
}

function DeleteDomain({ domain }: { domain: Domain }) {
  const api = useApi();
  return (
    <DeleteThing
      kind="domain"
      name={domain.name}
      list="domains"
      remove={() => api("DELETE /v1/domains/{id}", { params: { id: domain.id } })}
    >
      {t(
        "This permanently deletes its signing key: adding the domain again means a new DKIM record. Waiting mail from it is not sent, and nobody can send from it any more.",
      )}
    </DeleteThing>
  );
}
