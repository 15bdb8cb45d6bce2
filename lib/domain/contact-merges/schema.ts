import { z } from "zod";
import { openObject } from "@/lib/ground/open-object-schema";
import { subscriberStatuses } from "@/db/enums";
import { contactState } from "@/lib/domain/contact-states/schema";

const mergeSides = ["contact", "other"] as const;
/** Whose value stays: that of the contact that is kept, or the other's. */
export type MergeChoice = (typeof mergeSides)[number];

const choice = z.enum(mergeSides).optional();

export const mergeInput = z
  .strictObject({
    other: z.string().trim().min(1, "is empty").max(320).meta({
      description: "The contact that is merged into this one, by id or address. It is then gone.",
      example: "ada@example.org",
    }),
    fields: z
      .strictObject({
        email: choice,
        firstName: choice,
        lastName: choice,
        data: openObject(z.string().min(1).max(100), z.enum(mergeSides))
          .optional()
          .meta({ description: "By attribute.", example: { plan: "other" } }),
      })
      .optional()
      .meta({
        description:
          "Whose value stays where the two differ: `contact` or `other`. If absent, the contact’s, unless only the other has one.",
      }),
  })
  .meta({ id: "MergeInput" });
export type MergeInput = z.infer<typeof mergeInput>;

const named = z.object({ id: z.string(), name: z.string() });

export const mergePerson = z
  .object({
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    subscribed: z.boolean(),
    state: contactState,
    tags: z.array(z.string()),
    data: z.record(z.string(), z.unknown()),
    lists: z.array(named.extend({ status: z.enum(subscriberStatuses) })),
    topicsLeft: z.array(named).meta({ description: "Topics they want no mail about." }),
    pausedUntil: z.iso.datetime().nullable(),
    onceAWeekAtMost: z.boolean(),
  })
  .meta({ id: "MergePerson" });
export type MergePerson = z.infer<typeof mergePerson>;

export const mergePreview = z
  .object({
    contact: mergePerson.extend({ id: z.string() }),
    other: mergePerson.extend({ id: z.string() }),
    result: mergePerson.meta({ description: "The contact as it would be." }),
    waiting: z.int().meta({
      description:
        "Emails that wait for one of them and would not be sent, because the person gets the campaign at the other address.",
    }),
  })
  .meta({ id: "MergePreview" });
export type MergePreview = z.infer<typeof mergePreview>;
