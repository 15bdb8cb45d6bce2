"use client";

import { useRead } from "@/components/api/use-read";
import { ColumnChoice } from "@/components/list-page/column-choice";
import { FilterBar } from "@/components/list-page/filter-bar";
import { FilterChip } from "@/components/list-page/filter-chip";
import { PeriodFilter } from "@/components/list-page/period-filter";
import { SearchField } from "@/components/list-page/search-field";
import { NamedSelect } from "@/components/named/named-select";
import { SaveView } from "@/components/saved-views/save-view";
import { Select } from "@/components/ui/select";
import { emailStatuses } from "@/db/enums";
import type { LogQuery } from "@/lib/domain/emails/log-schema";
import {
  countedEvents,
  largestSubject,
  publicEmailSources,
  type CountedEvent,
} from "@/lib/domain/emails/terms";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { emailColumns, type EmailColumn } from "./columns";
import { sourceWords, statusWords } from "./email-status";

const eventWords: Record<CountedEvent, string> = phrases({
  sent: "Was sent",
  delivered: "Was delivered",
  opened: "Was opened",
  clicked: "Was clicked",
  bounced: "Bounced",
  complained: "Was complained about",
  unsubscribed: "Led to leaving",
  failed: "Was not sent",
  handed_over: "Reached a mail server",
});

/** Which emails the log shows; kept in the URL. */
export function EmailFilters({
  query,
  views,
  campaign,
  columns,
}: {
  query: LogQuery;
  /** The reader's own, of this page. */
  views: SavedViewList;
  /** The name of the campaign whose emails are shown; null: of all. */
  campaign: string | null;
  columns: readonly EmailColumn[];
}) {
  const templates = useRead("GET /v1/templates", { query: { pageSize: 1 } });
  const hasTemplates = query.templateId !== undefined || (templates.data?.data.length ?? 0) > 0;
  return (
    <FilterBar
      of={t("Emails")}
      query={query}
      actions={
        <>
          <SaveView page="emails" query={query} initial={views} />
          <ColumnChoice
            set={emailColumns}
            columns={columns}
            at="emails"
            about={t("What the log shows beside recipient, subject and status.")}
            own={t("An email’s own")}
          />
        </>
      }
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
              ...countedEvents.map((event) => ({ value: event, label: eventWords[event] })),
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
            <FilterChip
              label={t("Show emails of any Message-ID, not only of {messageId}", {
                messageId: query.messageId,
              })}
              onRemove={() => set({ messageId: "" })}
            >
              Message-ID: {query.messageId}
            </FilterChip>
          )}
          {campaign !== null && (
            <FilterChip
              label={t("Show emails of all campaigns, not only of {campaign}", { campaign })}
              // Both are the campaign's.
              onRemove={() => set({ campaignId: "", variant: "", link: "" })}
            >
              {t("Campaign: {campaign}", { campaign })}
            </FilterChip>
          )}
          {query.variant && (
            <FilterChip
              label={t("Show emails of all variants, not only of {name}", { name: query.variant })}
              onRemove={() => set({ variant: "" })}
            >
              {t("Variant {name}", { name: query.variant })}
            </FilterChip>
          )}
          {query.link && (
            <FilterChip
              label={t("Show emails whatever was clicked, not only {link}", { link: query.link })}
              onRemove={() => set({ link: "" })}
            >
              {t("Clicked: {link}", { link: query.link })}
            </FilterChip>
          )}
          {query.provider && (
            <FilterChip
              label={t("Show emails to all providers, not only to {provider}", {
                provider: query.provider,
              })}
              onRemove={() => set({ provider: "" })}
            >
              {t("Provider: {provider}", { provider: query.provider })}
            </FilterChip>
          )}
        </>
      )}
    </FilterBar>
  );
}
