import { z } from "zod";
import { consentOrigins, emailStatuses, subscriberStatuses } from "@/db/enums";
import { subscriptionChange } from "@/lib/domain/contacts/schema";
import { pageQuery } from "@/lib/ground/paging/schema";
import { basedOn } from "@/lib/ground/updates/schema";

/** What the timeline can be narrowed to. */
export const timelineKinds = [
  "emails",
  "engagement",
  "lists",
  "consent",
  "changes",
  "forms",
  "received",
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export const timelineTypes = [
  "email",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "subscription",
  "changed",
  "signed_up",
  "received",
  "merged",
] as const;
export type TimelineType = (typeof timelineTypes)[number];

const kindNames: ReadonlySet<string> = new Set(timelineKinds);

export const timelineQuery = pageQuery.extend({
  kinds: z
    .string()
    .max(200)
    .refine((text) => text.split(",").every((kind) => kindNames.has(kind)), {
      error: `is not a comma-separated list of ${timelineKinds.join(", ")}`,
    })
    .optional()
    .meta({
      description:
        "Only entries of these kinds, separated by commas: `emails` (sent, bounced, reported as spam), `engagement` (opens and clicks by people; what machines fetch is left out), `lists` (lists and tags), `consent` (the subscription to everything, topics, pauses), `changes` (address, names, attributes, contacts merged into this one), `forms` (sign-up forms and imports), `received` (mail they wrote).",
      example: "emails,engagement",
    }),
});
export type TimelineQuery = z.infer<typeof timelineQuery>;

const name = z.string().nullable();
const thing = z.object({ id: z.string(), name });

export const changedFields = z
  .object({
    email: z.string().optional(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    tags: z.array(z.string()).optional(),
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({
    id: "ChangedFields",
    description: "Only what changed. An attribute that is in one of the two alone is new, or gone.",
  });

export const contactChange = z
  .object({
    id: z.string(),
    before: changedFields,
    after: changedFields,
    by: z
      .object({ type: z.enum(consentOrigins), id: z.string().nullable(), name })
      .nullable()
      .meta({ description: "null: not recorded." }),
    import: thing.nullable(),
    form: thing.nullable(),
    undoes: z.string().nullable().meta({ description: "The id of the change that it took back." }),
    undone: z.boolean().meta({ description: "Whether a later change took it back." }),
    undoable: z.boolean().meta({
      description:
        "Whether everything it changed is still as it left it, so that it can be undone.",
    }),
  })
  .meta({ id: "ContactChange" });
export type ContactChange = z.infer<typeof contactChange>;

export const timelineEntry = z
  .object({
    id: z.string().meta({ description: "Names the entry within the timeline." }),
    type: z.enum(timelineTypes).meta({
      description: "What happened; it says which of the fields below are there.",
    }),
    at: z.iso.datetime(),
    email: z
      .object({
        id: z.string(),
        subject: z.string(),
        status: z.enum(emailStatuses),
        campaign: thing.nullable(),
      })
      .optional()
      .meta({ description: "The email that was accepted, came back, was opened or clicked in." }),
    times: z.int().optional().meta({
      description:
        "How often the person opened the email, or followed the link, up to now; the entry stands at the first time.",
    }),
    url: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "The link that was followed; null when it is no longer known." }),
    subscription: subscriptionChange.optional(),
    change: contactChange.optional(),
    form: thing
      .extend({ confirmedAt: z.iso.datetime().nullable() })
      .optional()
      .meta({ description: "The form they filled in, and when they confirmed it." }),
    received: z
      .object({ id: z.string(), subject: z.string() })
      .optional()
      .meta({ description: "Mail that they wrote." }),
    merged: z
      .object({
        contact: z.object({ id: z.string(), email: z.string() }),
        by: z.object({ type: z.enum(consentOrigins), id: z.string().nullable(), name }),
      })
      .optional()
      .meta({ description: "The contact that was merged into this one, and by whom." }),
  })
  .meta({ id: "TimelineEntry" });
export type TimelineEntry = z.infer<typeof timelineEntry>;

export const contactMemberships = z
  .object({
    lists: z.array(
      z.object({ id: z.string(), name: z.string(), status: z.enum(subscriberStatuses) }),
    ),
    segments: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .nullable()
      .meta({ description: "Segments they are in now; null when finding out took too long." }),
    segmentsLeftOut: z.int().meta({
      description: "How many older segments were not looked at: the newest 200 are.",
    }),
  })
  .meta({ id: "ContactMemberships" });
export type ContactMemberships = z.infer<typeof contactMemberships>;

export const noteInput = z
  .strictObject({
    text: z
      .string()
      .trim()
      .min(1, "is empty")
      .max(10_000)
      .meta({ example: "Asked for an invoice by post." }),
  })
  .meta({ id: "ContactNoteInput" });
export type NoteInput = z.infer<typeof noteInput>;

export const noteUpdate = noteInput.extend({ basedOn }).meta({ id: "ContactNoteUpdate" });
export type NoteUpdate = z.infer<typeof noteUpdate>;

export const contactNote = z
  .object({
    id: z.string(),
    text: z.string(),
    author: z.object({
      type: z.enum(["user", "apiKey"]),
      id: z.string(),
      name: name.meta({ description: "The user's address or the key's name; null: gone." }),
    }),
    own: z.boolean().meta({ description: "Whether it is the caller's, who may then edit it." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "ContactNote" });
export type ContactNote = z.infer<typeof contactNote>;
