import { z } from "zod";
import { openObject } from "@/lib/ground/open-object-schema";
import { consentKinds, consentOrigins, subscriberStatuses } from "@/db/enums";
import { contactState } from "@/lib/domain/contact-states/schema";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import { basedOn } from "@/lib/ground/updates/schema";
import { pageQuery } from "@/lib/ground/paging/schema";
import { emailAddress } from "@/lib/mail/address";

const name = z
  .string()
  .max(200)
  .regex(/^[^\r\n]*$/, "must not contain line breaks (CR, LF)");
/** Of one contact. */
export const mostTags = 100;
export const tags = z
  .array(z.string().trim().min(1, "is empty").max(100))
  .max(mostTags, `holds more than ${mostTags} tags`);
/** Custom attributes of one contact, as JSON text. */
export const largestData = 65_536;
export const mostDataKeys = 500;
export const tooLarge = inEnglish("data is larger than 64 kB or holds more than 500 keys");

/** What is wrong with custom attributes as they would be stored; null when nothing is. */
export function dataFault(attributes: object): string | null {
  if (Object.keys(attributes).length > mostDataKeys) return `holds more than ${mostDataKeys} keys`;
  return JSON.stringify(attributes).length > largestData ? "is larger than 64 kB" : null;
}

const data = openObject(z.string().min(1).max(100), z.unknown(), mostDataKeys).superRefine(
  (attributes, context) => {
    const message = dataFault(attributes);
    if (message) context.addIssue({ code: "custom", message });
  },
);

const fields = {
  firstName: name.optional(),
  lastName: name.optional(),
  tags: tags.optional().meta({ description: "Replaces the contact's tags.", example: ["vip"] }),
  subscribed: z.boolean().optional().meta({ description: "The opposite of `unsubscribed`." }),
  unsubscribed: z
    .boolean()
    .optional()
    .meta({ description: "If absent, it stays as it is; a new contact is subscribed." }),
  data: data.optional().meta({
    description: "Custom attributes, merged key by key; `null` removes a key.",
    example: { plan: "pro" },
  }),
};

const resubscribe = z.boolean().optional().meta({
  description:
    "With `subscribed: true`: whether it overrides an earlier unsubscription. true: the person asked for mail again. false: somebody who has unsubscribed stays unsubscribed, and only the other fields change. Default for API keys: true.",
});

const consistent = (input: { subscribed?: boolean; unsubscribed?: boolean }) =>
  input.subscribed === undefined ||
  input.unsubscribed === undefined ||
  input.subscribed !== input.unsubscribed;
const contradiction = {
  path: ["subscribed"],
  message: "and unsubscribed contradict each other",
};

export const contactInput = z
  .strictObject({
    email: emailAddress.meta({ example: "ada@example.com" }),
    ...fields,
    resubscribe,
  })
  .refine(consistent, contradiction)
  .refine(
    ({ resubscribe: lifts, subscribed, unsubscribed }) =>
      lifts === undefined || (subscribed ?? unsubscribed === false),
    { path: ["resubscribe"], message: "only makes sense with `subscribed: true`" },
  )
  .meta({ id: "ContactInput" });
export type ContactInput = z.infer<typeof contactInput>;

export const contactUpdate = z
  .strictObject({ email: emailAddress.optional(), ...fields, basedOn })
  .refine(consistent, contradiction)
  .meta({ id: "ContactUpdate", description: "Only the given fields change." });
export type ContactUpdate = z.infer<typeof contactUpdate>;

export const mostBulkContacts = 1000;
export const contactBulkInput = z
  .strictObject({
    contacts: z
      .array(contactInput)
      .min(1, "is empty")
      .max(mostBulkContacts, `holds more than ${mostBulkContacts} contacts`),
  })
  .meta({ id: "ContactBulkInput" });

export const contact = z
  .object({
    id: z.string().meta({ example: "con_01kat4rz8hfd2b7z1cm4x5n8qk" }),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    subscribed: z.boolean(),
    state: contactState.optional().meta({
      description:
        "`reachable`, or why campaigns skip the contact. An address with `hard_bounce`, `complaint`, `manual` or `domain` gets no mail at all. Absent from webhooks.",
      example: "reachable",
    }),
    tags: z.array(z.string()),
    data: z.record(z.string(), z.unknown()),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Contact" });
export type Contact = z.infer<typeof contact>;

const subscriptionStates = [
  ...["never" as const, ...subscriberStatuses],
  ...(["paused", "active", "weekly", "normal", "changed"] as const),
] as const;

export const subscriptionChange = z
  .object({
    kind: z.enum(consentKinds).meta({
      description:
        "`pause`: they asked for a break (`paused`, `active`); `frequency`: for one campaign a week at most (`weekly`, `normal`); `name` and `address`: they changed them (`changed`).",
    }),
    before: z.enum(subscriptionStates).nullable().meta({
      description: "null when the contact, or its membership of the list, was new.",
    }),
    after: z.enum(subscriptionStates),
    list: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .meta({ description: "null for the subscription to everything the project sends." }),
    topic: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
    until: z.iso.datetime().nullable().meta({ description: "When a pause ends by itself." }),
    reason: z.string().nullable().meta({
      description: "Why they left, if they said so: too_often, not_relevant, never_asked or other.",
    }),
    comment: z.string().nullable().meta({ description: "Why they left, in their own words." }),
    text: z.string().nullable().meta({
      description: "The text the person read when they chose, in their language.",
    }),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    by: z.object({
      type: z.enum(consentOrigins).meta({
        description:
          "`link`, `oneClick` and `confirmation` are the person's own acts; with `form`, `link` means that they submitted the form; `complaint` is a report that they marked an email as spam.",
      }),
      id: z.string().nullable().meta({ description: "The id of the user or API key." }),
      name: z.string().nullable().meta({
        description:
          "The user's address, the key's name, the file's name; null: gone, or nobody's.",
      }),
    }),
    emailId: z
      .string()
      .nullable()
      .meta({ description: "The email whose link was used, or which was reported." }),
    importId: z.string().nullable(),
    form: z.object({ id: z.string(), name: z.string().nullable() }).nullable().meta({
      description: "The sign-up form they used; its name is null when it has been deleted.",
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "SubscriptionChange" });
export type SubscriptionChange = z.infer<typeof subscriptionChange>;

export const contactBulkAnswer = z
  .object({
    created: z.int(),
    updated: z.int(),
    data: z.array(z.object({ id: z.string(), email: z.string() })),
  })
  .meta({ id: "ContactBulkAnswer" });
export type ContactBulkAnswer = z.infer<typeof contactBulkAnswer>;

/** Which contacts: the list's and the export's filters. */
export const contactFilter = z.strictObject({
  search: z
    .string()
    .trim()
    .max(320)
    .optional()
    .meta({ description: "Part of the address or the name; case does not matter." }),
  subscribed: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
  tag: z.string().trim().max(100).optional(),
  segmentId: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Only contacts who are in this segment now." }),
});

/** By what the list can be sorted: what has an index to page by. A minus sign: from the last to the first. */
const contactSorts = ["-createdAt", "createdAt", "email", "-email"] as const;

export const contactQuery = pageQuery.extend(contactFilter.shape).extend({
  sort: z.enum(contactSorts).optional().meta({
    description:
      "If absent, `-createdAt`: newest first. A cursor continues the order that it comes from.",
  }),
});

const exportColumns = [
  "id",
  "firstName",
  "lastName",
  "tags",
  "updatedAt",
] as const satisfies (keyof Contact)[];
export const exportQuery = contactFilter.extend({
  columns: z
    .string()
    .max(1000)
    .refine((text) => text.split(",").every((name) => exportColumns.some((one) => one === name)), {
      error: `is not a comma-separated list of ${exportColumns.join(", ")}`,
    })
    .optional()
    .meta({
      description: "Columns in addition to email, subscribed, createdAt and the custom attributes.",
      example: "firstName,lastName,tags",
    }),
});
