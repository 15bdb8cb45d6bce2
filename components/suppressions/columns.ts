import type { ColumnSet } from "@/components/list-page/columns";
import { phrases } from "@/lib/ground/texts/t";

export type SuppressionColumn = "reason" | "response" | "source" | "createdAt";

/** What the list shows beside an address or domain. */
export const suppressionColumns: ColumnSet<SuppressionColumn> = {
  cookie: "suppression-columns",
  words: phrases({
    reason: "Reason",
    response: "What the server said",
    source: "Where it comes from",
    createdAt: "Since",
  }),
  usual: ["reason", "response", "source", "createdAt"],
};
