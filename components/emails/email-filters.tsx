"use client";

import { X } from "lucide-react";
import { useRead } from "@/components/api/use-read";
import { FilterBar } from "@/components/list-page/filter-bar";
import { PeriodFilter } from "@/components/list-page/period-filter";
import { SearchField } from "@/components/list-page/search-field";
import { NamedSelect } from "@/components/named/named-select";
import { SaveView } from "@/components/saved-views/save-view";
import { Select } from "@/components/ui/select";
import { Button } from "@/components/ui/button";
import { emailStatuses } from "@/db/enums";
import type { EmailQuery } from "@/lib/domain/emails/schema";
import {
  largestSubject,
  logEvents,
  publicEmailSources,
  type LogEvent,
} from "@/lib/domain/emails/terms";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { sourceWords, statusWords } from "./email-status";

const eventWords: Record<LogEvent, string> = phrases({
  sent: "Was sent",
  delivered: "Was delivered",
  opened: "Was opened",
  clicked: "Was clicked",
  bounced: "Bounced",
  complained: "Was complained about",
  unsubscribed: "Led to leaving",
  failed: "Was not sent",
});

/** Which emails the log shows; kept in the URL. */
export function EmailFilters({
  query,
  views,
  campaign,
}: {
  query: EmailQuery;
  /** The reader's own, of this page. */
  views: SavedViewList;
  /** The name of the campaign whose emails are shown; null: of all. */
  campaign: string | null;
}) {
  const templates = useRead("GET /v1/templates", { query: { pageSize: 1 } });
  const hasTemplates = query.templateId !== undefined || (templates.data?.data.length ?? 0) > 0;
  return (
    <FilterBar
      of={t("Emails")}
      query={query}
      actions={<SaveView page="emails" query={query} initial={views} />}
    >
      {(set) => (
        <>
          <SearchField
            label={t("Search by address")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:min-w-52 sm:flex-1"
          />
          <SearchField
            label={t("Exact subject")}
            value={query.subject ?? ""}
            onChange={(subject) => set({ subject })}
            longest={largestSubject}
            className="col-span-2 sm:min-w-52 sm:flex-1"
          />
          <Select
            label={t("Status")}
            options={[
              { value: "", label: t("Any status") },
              ...emailStatuses.map((status) => ({ value: status, label: statusWords[status] })),
            ]}
            value={query.status ?? ""}
            onChange={(status) => set({ status })}
            className="sm:w-36!"
          />
          <Select
            label={t("What happened")}
            options={[
              { value: "", label: t("Any event") },
              ...logEvents.map((event) => ({ value: event, label: eventWords[event] })),
            ]}
            value={query.event ?? ""}
            onChange={(event) => set({ event })}
            className="sm:w-44!"
          />
          <Select
            label={t("Source")}
            options={[
              { value: "", label: t("Any source") },
              ...publicEmailSources.map((source) => ({
                value: source,
                label: sourceWords[source],
              })),
            ]}
            value={query.source ?? ""}
            onChange={(source) => set({ source })}
            className="sm:w-40!"
          />
          {hasTemplates && (
            <NamedSelect
              of="template"
              label={t("Template")}
              none={t("Any template")}
              value={query.templateId ?? ""}
              onChange={(templateId) => set({ templateId })}
              className="sm:w-44!"
            />
          )}
          <PeriodFilter period={query} onChange={set} />
          {query.messageId && (
            <Button
              onClick={() => set({ messageId: "" })}
              aria-label={t("Show emails of any Message-ID, not only of {messageId}", {
                messageId: query.messageId,
              })}
              className="col-span-2 max-w-full min-w-0 justify-self-start"
            >
              <span className="truncate">Message-ID: {query.messageId}</span>
              <X aria-hidden />
            </Button>
          )}
          {campaign !== null && (
            <Button
              onClick={() => set({ campaignId: "" })}
              aria-label={t("Show emails of all campaigns, not only of {campaign}", { campaign })}
              className="col-span-2 max-w-full min-w-0 justify-self-start"
            >
              <span className="truncate">{t("Campaign: {campaign}", { campaign })}</span>
              <X aria-hidden />
            </Button>
          )}
        </>
      )}
    </FilterBar>
  );
}
