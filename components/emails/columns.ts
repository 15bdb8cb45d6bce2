import type { ColumnSet } from "@/components/list-page/columns";
import type { EmailDetails } from "@/lib/domain/emails/log-schema";
import { phrases } from "@/lib/ground/texts/t";

export type EmailColumn =
  | "source"
  | "campaign"
  | "template"
  | "from"
  | "provider"
  | "opens"
  | "clicks"
  | "lastEvent"
  | "sentAt"
  | "createdAt";

/** What the log shows beside recipient, subject and status. */
export const emailColumns: ColumnSet<EmailColumn> = {
  cookie: "email-columns",
  words: phrases({
    source: "Source",
    campaign: "Campaign",
    template: "Template",
    from: "From",
    provider: "Provider",
    opens: "Opens",
    clicks: "Clicks",
    lastEvent: "Last event",
    sentAt: "Sent",
    createdAt: "Accepted",
  }),
  usual: ["source", "opens", "clicks", "createdAt"],
};

const detailed: readonly EmailColumn[] = ["campaign", "template", "from", "provider", "lastEvent"];

/** Whether one of them is not in the log itself, and is read for each email of a page. */
export const needDetails = (columns: readonly EmailColumn[]) =>
  columns.some((column) => detailed.includes(column));

/** What the route of the details is asked for a page of emails. */
export const detailsQuery = (emails: readonly Pick<EmailDetails, "id">[]) => ({
  ids: emails.map(({ id }) => id).join(","),
});
