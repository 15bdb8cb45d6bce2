"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { DeleteThing } from "@/components/shell/delete-thing";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyTextButton, CopyableCode } from "@/components/ui/copy-button";
import { PageHeader, Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { DomainStatus } from "./domain-status";
import { DomainTracking } from "./domain-tracking";
import { RecordCard } from "./record-card";
import { zoneFile } from "./zone-file";

/** What a look-up said, in one sentence. */
function outcome({ name, records, status }: Domain): { good: boolean; text: string } {
  const open = records.filter((record) => record.required && record.problem);
  if (status === "VERIFIED" && open.length === 0)
    return { good: true, text: `${name} is verified` };
  const count = open.length === 1 ? "One record is" : `${open.length} records are`;
  return { good: false, text: `${count} not right yet` };
}

/** One domain: its state, its records, and what can be done with it. */
export function DomainView({ initial }: { initial: Domain }) {
  const { id: projectId } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const queries = useQueryClient();
  const key = ["domains", projectId, initial.id];
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      api("GET /v1/domains/{id}", { params: { id: initial.id } }, { signal }),
    initialData: initial,
    // While it is being looked up in the background, the page follows.
    refetchInterval: (current) => (current.state.data?.status === "PENDING" ? 5_000 : 60_000),
  });
  const domain = query.data;
  const verify = useMutation({
    mutationFn: () => api("POST /v1/domains/{id}/verify", { params: { id: domain.id } }),
    onSuccess: (seen) => {
      queries.setQueryData(key, seen);
      const { good, text } = outcome(seen);
      if (good) toast.success(text);
      else toast.error(text, { description: "Each record below says what was found." });
    },
    onError: (error) => toast.error("Not verified", { description: messageOf(error) }),
  });
  const may = useMay("admin");
  return (
    <>
      <PageHeader
        title={domain.name}
        back={{ href: path("domains"), label: "Domains" }}
        meta={
          <>
            <DomainStatus domain={domain} />
            <CopyableCode text={domain.id} what="domain id" />
          </>
        }
        actions={
          may &&
          !domain.builtIn && (
            <>
              <DeleteDomain domain={domain} />
              <Button variant="primary" pending={verify.isPending} onClick={() => verify.mutate()}>
                <RefreshCw aria-hidden />
                {domain.status === "VERIFIED" ? "Check again" : "Verify now"}
              </Button>
            </>
          )
        }
      />
      <NotUpToDate error={query.error} what="page">
        It is asked for again every few seconds.
      </NotUpToDate>
      <div className="mb-8">
        <Standing domain={domain} checking={verify.isPending} />
      </div>
      {domain.records.length > 0 && (
        <Section
          title="DNS records"
          description="Publish these at your DNS provider. Many providers append the domain to the name by themselves: then enter only what stands before it."
          actions={
            <CopyTextButton text={zoneFile(domain.records)} label="Copy as zone file" size="sm" />
          }
        >
          <ul className="mt-5">
            {domain.records.map((record) => (
              <RecordCard key={record.purpose} record={record} />
            ))}
          </ul>
        </Section>
      )}
      <DomainTracking domain={domain} queryKey={key} />
    </>
  );
}

/** What the state means and what happens next. */
function Standing({ domain, checking }: { domain: Domain; checking: boolean }) {
  if (checking) {
    return (
      <Callout kind="info" title="Asking the name servers">
        This takes a few seconds, longer where a server does not answer.
      </Callout>
    );
  }
  if (domain.builtIn) {
    return domain.status === "VERIFIED" ? (
      <Callout kind="success" title="Ready without any set-up">
        Mail is captured here instead of sent, so addresses at {domain.name} need no DNS. What you
        send stands in the captured mailbox.
      </Callout>
    ) : (
      <Callout kind="info" title="At rest">
        Mail leaves through a real server here, and {domain.name} is a name for trials only.
      </Callout>
    );
  }
  if (domain.status === "VERIFIED") {
    const gone = domain.records.some(({ required, status }) => required && status === "FAILED");
    return gone ? (
      <Callout kind="warning" title="Verified, but a record is gone">
        Mail still goes out. A domain whose DKIM record is missing on three days in a row is no
        longer verified.
      </Callout>
    ) : (
      <Callout kind="success" title="You can send from this domain">
        Mail from any address at {domain.name} is signed. The records are looked at once a day; last{" "}
        <RelativeTime value={domain.checkedAt} />.
      </Callout>
    );
  }
  if (!domain.checkedAt) {
    return (
      <Callout kind="info" title="Publish these records, then verify">
        New records mostly show within minutes. You need not wait here: once you have asked, they
        are looked up again and again for three days.
      </Callout>
    );
  }
  return domain.nextCheckAt ? (
    <Callout kind="info" title="Waiting for the records to show up">
      Last looked up <RelativeTime value={domain.checkedAt} />, next{" "}
      <RelativeTime value={domain.nextCheckAt} /> by itself. You can close this page.
    </Callout>
  ) : (
    <Callout kind="danger" title="The records did not show up within three days">
      Nothing is looked up any more. Compare what was found with what is expected, then verify
      again.
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
      Its signing key is gone for good: adding the name again means a new DKIM record. Mail from it
      that still waits is not sent, and nobody can send from it any more.
    </DeleteThing>
  );
}
