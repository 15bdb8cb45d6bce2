import type { ColumnSet } from "@/components/list-page/columns";
import { phrases } from "@/lib/ground/texts/t";

/** Shares of those who got the mail. */
export type ReaderColumn = "opened" | "clicked" | "complained" | "unsubscribed";
export type CampaignColumn =
  | ReaderColumn
  | "recipients"
  | "sent"
  | "delivered"
  | "bounced"
  | "failed"
  | "from"
  | "date";

/** What the list shows beside a campaign and its status. */
export const campaignColumns: ColumnSet<CampaignColumn> = {
  cookie: "campaign-columns",
  words: phrases({
    from: "Sender",
    recipients: "Recipients",
    sent: "Sent",
    delivered: "Delivered",
    opened: "Opened",
    clicked: "Clicked",
    bounced: "Bounced",
    complained: "Complaints",
    unsubscribed: "Unsubscribed",
    failed: "Not sent",
    date: "Date",
  }),
  usual: ["recipients", "opened", "clicked", "date"],
};

export const isOfReaders = (column: CampaignColumn): column is ReaderColumn =>
  ["opened", "clicked", "complained", "unsubscribed"].includes(column);
