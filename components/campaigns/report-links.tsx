"use client";

import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { ConfirmAction } from "@/components/form/confirm-action";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { CopyTextButton } from "@/components/ui/copy-button";
import { counted } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import type { ReportLink } from "@/lib/domain/campaign-reports/schema";
import { ShareReport } from "./share-report";

/** The links to a campaign's report; nothing while there is none, or for those who may not share it. */
export function ReportLinks({ campaignId }: { campaignId: string }) {
  return useMay("editor") ? <Links campaignId={campaignId} /> : null;
}

function Links({ campaignId }: { campaignId: string }) {
  const reading = useRead(
    "GET /v1/campaigns/{id}/report-links",
    { params: { id: campaignId } },
    { every: 60_000 },
  );
  const links = reading.data?.data ?? [];
  if (links.length === 0 && !reading.isError) return null;
  return (
    <div className="mt-9 print:hidden">
      <Section
        title="Shared report"
        description="Whoever has one of these links reads this campaign’s report without signing in."
        actions={<ShareReport campaignId={campaignId} small />}
      >
        <NotUpToDate of={reading} title="The links could not be loaded" />
        <ul aria-label="Links to the report" className="border-t text-sm">
          {links.map((link) => (
            <Link key={link.id} link={link} campaignId={campaignId} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function Link({ link, campaignId }: { link: ReportLink; campaignId: string }) {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  const { id, name, url, author, opens, lastOpenedAt, expiresAt, expired } = link;
  const title = name || "Link without a name";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className="font-medium wrap-anywhere underline decoration-control underline-offset-2 hover:decoration-ink"
          >
            {title}
          </a>
          {expired && <Badge tone="warning">expired</Badge>}
        </p>
        <p className="text-xs text-soft">
          made <RelativeTime value={link.createdAt} />
          {author &&
            ` by ${author.name ?? (author.type === "user" ? "a deleted user" : "a deleted key")}`}
          {", "}
          {opens === 0 ? (
            "never opened"
          ) : (
            <>
              opened {counted(opens, "time")}, last <RelativeTime value={lastOpenedAt} />
            </>
          )}
          {expiresAt !== null && (
            <>
              {expired ? ", ended " : ", until "}
              <ExactTime value={expiresAt} seconds={false} />
            </>
          )}
        </p>
      </div>
      <div className="flex items-center gap-2">
        {!expired && <CopyTextButton text={url} label="Copy link" size="sm" />}
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Revoke ${title}`}
          onClick={() => setAsking(true)}
        >
          Revoke
        </Button>
      </div>
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={`Revoke “${title}”?`}
        action="Revoke link"
        run={() =>
          api("DELETE /v1/campaigns/{id}/report-links/{linkId}", {
            params: { id: campaignId, linkId: id },
          })
        }
        done="The link was revoked"
      >
        It opens nothing from then on, wherever it was passed on to. You cannot undo this, but make
        a new link.
      </ConfirmAction>
    </li>
  );
}
