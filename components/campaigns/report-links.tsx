"use client";

import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { ConfirmAction } from "@/components/form/confirm-action";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { CopyTextButton } from "@/components/ui/copy-button";
import { Section } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import type { ReportLink } from "@/lib/domain/campaign-reports/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
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
        title={t("Shared report")}
        description={t(
          "Whoever has one of these links reads this campaign’s report without signing in.",
        )}
        actions={<ShareReport campaignId={campaignId} small />}
      >
        <NotUpToDate of={reading} title={t("The links could not be loaded")} />
        <ul aria-label={t("Links to the report")} className="border-t text-sm">
          {links.map((link) => (
            <Link key={link.id} link={link} campaignId={campaignId} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function madeWords({ createdAt, author }: ReportLink) {
  const relativeTime = <RelativeTime value={createdAt} />;
  if (!author) return rich("made {relativeTime}", { relativeTime });
  if (author.name !== null) {
    return rich("made {relativeTime} by {author}", { relativeTime, author: author.name });
  }
  return author.type === "user"
    ? rich("made {relativeTime} by a deleted user", { relativeTime })
    : rich("made {relativeTime} by a deleted key", { relativeTime });
}

function Link({ link, campaignId }: { link: ReportLink; campaignId: string }) {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  const { id, name, url, opens, lastOpenedAt, expiresAt, expired } = link;
  const title = name || t("Link without a name");
  const end = expiresAt !== null && {
    time: <ExactTime value={expiresAt} seconds={false} />,
  };
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
          {expired && <Badge tone="warning">{t("expired")}</Badge>}
        </p>
        <p className="text-xs text-soft">
          {madeWords(link)}
          {", "}
          {opens === 0
            ? t("never opened")
            : rich("opened {opens, plural, one {# time} other {# times}}, last {relativeTime}", {
                opens,
                relativeTime: <RelativeTime value={lastOpenedAt} />,
              })}
          {end && (
            <>
              {", "}
              {expired ? rich("ended {time}", end) : rich("until {time}", end)}
            </>
          )}
        </p>
      </div>
      <div className="flex items-center gap-2">
        {!expired && <CopyTextButton text={url} label={t("Copy link")} size="sm" />}
        <Button
          size="sm"
          variant="ghost"
          aria-label={t("Revoke {title}", { title })}
          onClick={() => setAsking(true)}
        >
          {t("Revoke")}
        </Button>
      </div>
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t("Revoke “{title}”?", { title })}
        action={t("Revoke link")}
        run={() =>
          api("DELETE /v1/campaigns/{id}/report-links/{linkId}", {
            params: { id: campaignId, linkId: id },
          })
        }
        done={t("The link was revoked")}
      >
        {t(
          "It opens nothing from then on, wherever it was passed on to. You cannot undo this, but make a new link.",
        )}
      </ConfirmAction>
    </li>
  );
}
