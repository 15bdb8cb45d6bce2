import { z } from "zod";
import { openObject } from "@/lib/ground/open-object-schema";
import { savedViewPages, type SavedViewPage } from "@/db/enums";
import { campaignListQuery } from "@/lib/domain/campaigns/schema";
import { contactListQuery } from "@/lib/domain/contacts/list-schema";
import { logQuery } from "@/lib/domain/emails/log-schema";
import { subscriberQuery } from "@/lib/domain/lists/schema";
import { suppressionQuery } from "@/lib/domain/suppressions/schema";

/** Of a person in a project, of all pages together. */
export const mostViews = 50;
export const longestViewName = 60;
/** A link of a campaign; what a filter's own page refuses is refused beside this. */
const longestFilter = 8_000;

const paging = { limit: true, cursor: true } as const;
/** The filters and the order that each page has. */
const filtersOf: Record<SavedViewPage, z.ZodType> = {
  contacts: contactListQuery.omit(paging),
  emails: logQuery.omit(paging),
  campaigns: campaignListQuery.omit(paging),
  subscribers: subscriberQuery.omit(paging),
  suppressions: suppressionQuery.omit(paging),
};

const isPlain = (text: string) => !/\p{Cc}/u.test(text);
const name = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(longestViewName, `is longer than ${longestViewName} characters`)
  .refine(isPlain, "contains control characters")
  .meta({ example: "New and subscribed" });
const query = openObject(
  z.string().max(100),
  z.string().min(1, "is empty").max(longestFilter),
).meta({
  description: "Filters and order, as the page's address has them.",
});

export const savedViewInput = z
  .strictObject({ page: z.enum(savedViewPages), name, query })
  .superRefine(({ page, query: filters }, context) => {
    const fault = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: "custom", path: ["query", ...path], message });
    if (Object.keys(filters).length === 0) fault([], "holds neither a filter nor an order");
    for (const issue of filtersOf[page].safeParse(filters).error?.issues ?? []) {
      if (issue.code === "unrecognized_keys") {
        for (const key of issue.keys) fault([key], `is not a filter of ${page}`);
      } else fault(issue.path, "is not a value that this filter takes");
    }
  })
  .meta({ id: "SavedViewInput" });
export type SavedViewInput = z.infer<typeof savedViewInput>;

export const savedViewUpdate = z.strictObject({ name }).meta({ id: "SavedViewUpdate" });
export type SavedViewUpdate = z.infer<typeof savedViewUpdate>;

export const savedViewQuery = z.strictObject({ page: z.enum(savedViewPages).optional() });
export type SavedViewQuery = z.infer<typeof savedViewQuery>;

export const savedView = z
  .object({
    id: z.string(),
    page: z.enum(savedViewPages),
    name: z.string(),
    query: z.record(z.string(), z.string()),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "SavedView" });
export type SavedView = z.infer<typeof savedView>;

export const savedViewList = z.object({ data: z.array(savedView) }).meta({ id: "SavedViewList" });
export type SavedViewList = z.infer<typeof savedViewList>;
