import { isField, type ColumnSet, type FieldColumn } from "@/components/list-page/columns";
import type { ListMember, MailingListDetail } from "@/lib/domain/lists/schema";
import { phrases } from "@/lib/ground/texts/t";
import { contactTags } from "./field-tags";

type OwnColumn = "status" | "source" | "createdAt" | "updatedAt";

/** One of a membership's own, or a field of the list. */
export type SubscriberColumn = OwnColumn | FieldColumn;

/** What a list shows beside a person. Kept for each list: fields are the list's own. */
export const subscriberColumns: ColumnSet<OwnColumn, FieldColumn> = {
  cookie: "subscriber-columns",
  words: phrases({
    status: "Status",
    source: "Came by",
    createdAt: "Joined",
    updatedAt: "Last changed",
  }),
  usual: ["status", "createdAt"],
  more: { is: isField, before: ["createdAt", "updatedAt"] },
};

export const memberSources: Record<ListMember["source"], string> = phrases({
  added: "Added by hand",
  api: "API",
  import: "Import",
  form: "Form",
});

/** What the list asks for besides what stands beside every person. */
export const fieldNames = ({ fields }: Pick<MailingListDetail, "fields">) =>
  fields
    .filter(({ tag }) => !contactTags.includes(tag))
    .map(({ tag, label }) => ({ key: tag, label }));
