import { z } from "zod";
import { bulkActions, bulkRefusals, bulkStatuses, contactFieldKinds } from "@/db/enums";
import { isOfChosen, isOfList, isRename } from "./terms";
import { moreFilters } from "@/lib/domain/contacts/list-schema";
import { pageQuery } from "@/lib/ground/paging/schema";
import { basedOnOrNothing } from "@/lib/ground/updates/schema";

/** Of a project: as many as one contact may have. */
export const mostFields = 500;
export const longestName = 100;

const isPlain = (text: string) => !/\p{Cc}/u.test(text);

/** A key that data may have; one that somebody chooses has no dot, since filters would read it as two keys. */
export const isFieldKey = (key: string) =>
  key !== "" && key.length <= longestName && key !== "__proto__" && isPlain(key);

export const contactFieldInput = z
  .strictObject({
    kind: z.enum(contactFieldKinds).optional().meta({
      description:
        "What it holds, which decides what filters offer. Values stay as they are, and new ones are not checked against it. If absent, it stays; required for a field that is not described yet.",
    }),
    description: z
      .string()
      .trim()
      .max(300, "is longer than 300 characters")
      .refine(isPlain, "contains control characters")
      .optional()
      .meta({ description: "For your team.", example: "What they pay for" }),
    position: z
      .int()
      .min(1, "is less than 1")
      .max(mostFields, `is more than ${mostFields}`)
      .optional()
      .meta({
        description: "Its place, from 1 on; the others move. If absent, it stays, or comes last.",
      }),
    acceptMisfits: z.boolean().optional().meta({
      description: "true: set the kind even though values that contacts have are not of it.",
    }),
    basedOn: basedOnOrNothing,
  })
  .meta({ id: "ContactFieldInput" });
export type ContactFieldInput = z.infer<typeof contactFieldInput>;

export const contactField = z
  .object({
    key: z.string().meta({ example: "plan" }),
    kind: z
      .enum(contactFieldKinds)
      .meta({ description: "As described, or else that of most values." }),
    described: z.boolean().meta({ description: "Whether somebody has set its kind and place." }),
    description: z.string(),
    position: z.int().nullable().meta({ description: "null: after those that have a place." }),
    contacts: z.int().meta({ description: "How many contacts have it." }),
    misfits: z.int().meta({ description: "How many of them have a value of another kind." }),
    updatedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When it was last described; null: never." }),
  })
  .meta({ id: "ContactField" });
export type ContactField = z.infer<typeof contactField>;

const counted = {
  contacts: z.int().meta({ description: "All contacts of the project." }),
  countedAt: z.iso.datetime().nullable().meta({ description: "null: not counted yet." }),
};

export const contactFieldList = z
  .object({ data: z.array(contactField), ...counted })
  .meta({ id: "ContactFieldList" });
export type ContactFieldList = z.infer<typeof contactFieldList>;

export const contactTag = z
  .object({ tag: z.string().meta({ example: "vip" }), contacts: z.int() })
  .meta({ id: "ContactTag" });
export const contactTagList = z
  .object({ data: z.array(contactTag), ...counted })
  .meta({ id: "ContactTagList" });
export type ContactTagList = z.infer<typeof contactTagList>;

const name = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(longestName, `is longer than ${longestName} characters`)
  .refine((text) => isPlain(text) && text !== "__proto__", "cannot be a name");

const dotted = "contains a dot: filters and placeholders would read it as two keys";
/** A key that somebody chooses for a field. */
export const newFieldKey = name.refine((key) => !key.includes("."), dotted);

const chosenActions = bulkActions.filter(isOfChosen).join(", ");

const filter = z.strictObject({
  search: z.string().trim().max(320).optional(),
  subscribed: z.boolean().optional(),
  tag: z.string().trim().max(100).optional(),
  segmentId: z.string().max(100).optional(),
});

/** A change to so few contacts is made while its caller waits. */
export const mostAtOnce = 500;

const changeInput = <Filter extends z.ZodType>(whom: Filter) =>
  z.strictObject({
    action: z.enum(bulkActions),
    name: name.default("").meta({
      description: "The key or the tag. Absent where there is neither.",
      example: "plan",
    }),
    newName: name.optional().meta({ description: "Of a rename.", example: "tier" }),
    merge: z.boolean().optional().meta({
      description:
        "true: rename even if contacts have the new name already. Whoever has both fields keeps the value under the new name.",
    }),
    listId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "With `join_list` and `leave_list`." }),
    filter: whom.optional().meta({
      description:
        "Whom `tag`, `untag`, `join_list`, `leave_list`, `unsubscribe` and `delete` are about: who matches now, and nobody who matches later.",
    }),
    contactIds: z
      .array(z.string().max(100))
      .min(1, "is empty")
      .max(mostAtOnce, `holds more than ${mostAtOnce} contacts`)
      .optional()
      .meta({
        description:
          "In place of `filter`: these contacts. Ids of contacts that are not there are ignored.",
      }),
  });

/** What the fields of an input say together. */
function checkTogether(input: z.infer<typeof listChange>, context: z.RefinementCtx): void {
  const { action, name: old, newName, merge, listId, filter: whose, contactIds } = input;
  const fault = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (isRename(action)) {
    if (newName === undefined) fault("newName", "is required");
    else if (newName === old) fault("newName", "is the old name");
    else if (action === "rename_field" && newName.includes(".")) {
      fault("newName", dotted);
    }
  } else {
    if (newName !== undefined) fault("newName", "only makes sense when something is renamed");
    if (merge !== undefined) fault("merge", "only makes sense when something is renamed");
  }
  const named = !isOfList(action) && action !== "unsubscribe" && action !== "delete";
  if (named && old === "") fault("name", "is required");
  if (!named && old !== "") fault("name", "only makes sense with a field or a tag");
  if (isOfList(action) && listId === undefined) fault("listId", "is required");
  if (!isOfList(action) && listId !== undefined) {
    fault("listId", "only makes sense with join_list and leave_list");
  }
  if (isOfChosen(action)) {
    if (whose === undefined && contactIds === undefined) fault("filter", "is required");
    if (whose !== undefined && contactIds !== undefined) {
      fault("contactIds", "and filter exclude each other");
    }
  } else {
    if (whose !== undefined) fault("filter", `only makes sense with ${chosenActions}`);
    if (contactIds !== undefined) fault("contactIds", `only makes sense with ${chosenActions}`);
  }
}

export const bulkChangeInput = changeInput(
  filter.meta({ description: "As of the list of contacts; empty: everybody." }),
)
  .superRefine(checkTogether)
  .meta({ id: "BulkChangeInput" });

const listChange = changeInput(filter.extend(moreFilters));
/** With the filters that only the dashboard's list has. */
export const listChangeInput = listChange.superRefine(checkTogether);
export type BulkChangeInput = z.infer<typeof listChangeInput>;

export const bulkChange = z
  .object({
    id: z.string().meta({ example: "bch_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    action: z.enum(bulkActions),
    name: z.string().meta({
      description: "The key, the tag or the list's name; empty where there is none.",
    }),
    newName: z.string().nullable(),
    listId: z.string().nullable(),
    status: z.enum(bulkStatuses),
    progress: z.number().meta({ description: "From 0 to 1." }),
    total: z.int().meta({
      description: "Contacts to look at; a rename looks at them twice. 0 before it began.",
    }),
    processed: z.int().meta({ description: "How many of them have been looked at." }),
    changed: z.int().meta({ description: "Contacts changed so far." }),
    refused: z.partialRecord(z.enum(bulkRefusals), z.int()).meta({
      description:
        "How many contacts were passed over, by why. `gone`: deleted meanwhile; `tagLimit`: they have a hundred tags; `unsubscribed`: from everything; `leftList`: they left the list before. The others were as asked for already.",
    }),
    undoable: z.boolean().meta({
      description: "Whether it can be taken back: tags, for seven days.",
    }),
    failureReason: z.string().nullable(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "BulkChange" });
export type BulkChange = z.infer<typeof bulkChange>;

export const bulkChangeQuery = pageQuery;

const named = z.array(z.object({ id: z.string(), name: z.string() }));
const withPlaceholders = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    placeholders: z.array(z.string()).meta({ description: "What to change in it." }),
  }),
);

/** What a change would touch, for people to read before they confirm it. */
export const bulkChangePreview = z
  .object({
    contacts: z.int().meta({ description: "Contacts that would change." }),
    both: z.int().meta({ description: "How many of them have the new name already." }),
    taken: z.boolean().meta({
      description: "Whether contacts have the new name already: the change then needs `merge`.",
    }),
    segments: named.meta({ description: "Whose filters name it. A rename changes them, too." }),
    forms: named.meta({ description: "That ask for it. A rename changes them, too." }),
    templates: withPlaceholders.meta({ description: "Stay as they are: change them by hand." }),
    savedBlocks: withPlaceholders.meta({
      description:
        "Of the visual editor. Stay as they are: put them into a mail, change them there and save them anew.",
    }),
    campaigns: withPlaceholders.meta({
      description: "Not sent yet, or being sent. They stay as they are.",
    }),
    imports: named.meta({
      description: "Under way with a column for it: what they bring later has the old name.",
    }),
    refusal: z
      .string()
      .nullable()
      .meta({ description: "Why it would be refused; null: it would not." }),
  })
  .meta({ id: "BulkChangePreview" });
export type BulkChangePreview = z.infer<typeof bulkChangePreview>;
