import { contactStates } from "@/lib/domain/contact-states/schema";
import { z } from "zod";
import { openObject } from "@/lib/ground/open-object-schema";
import { listFieldTypes, subscriberSources, subscriberStatuses } from "@/db/enums";
import { emailAddress } from "@/lib/mail/address";
import { contactInput } from "@/lib/domain/contacts/schema";
import { longCursor, pageQuery } from "@/lib/ground/paging/schema";
import { basedOn } from "@/lib/ground/updates/schema";

const templateChoice = (mail: string) =>
  z
    .string()
    .max(100)
    .nullable()
    .optional()
    .meta({ description: `The template that its ${mail} email is written with; null: ours.` });

const line = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\r\n]*$/, "must not contain line breaks (CR, LF)");

/** The organisation behind a list, with its postal address. */
const listContact = z.strictObject({
  company: line(200).optional(),
  state: line(200).optional(),
  address_1: line(200).optional(),
  address_2: line(200).optional(),
  city: line(200).optional(),
  zip: line(50).optional(),
  country_id: line(10).optional(),
  email: line(320).optional(),
  url: line(2000).optional(),
  phone: line(50).optional(),
});

export const listInput = z.strictObject({
  name: line(200).min(1, "is required"),
  fromEmail: emailAddress,
  fromName: line(200).optional(),
  defaultSubject: line(998).optional(),
  remindMessage: z.string().max(2000).optional(),
  contact: listContact.optional(),
  subscribeConfirmation: z.boolean().optional(),
  sendWelcomeEmail: z.boolean().optional(),
  unsubscribeNotification: z.boolean().optional(),
  confirmationTemplateId: templateChoice("confirmation"),
  welcomeTemplateId: templateChoice("welcome"),
});
export type ListInput = z.infer<typeof listInput>;

/** Only the given fields change; `contact` is replaced as a whole. */
export const listUpdate = listInput.partial().extend({ basedOn });
export type ListUpdate = z.infer<typeof listUpdate>;

/** Of lists a project has some hundreds at most: nothing but their ids has an index to sort by. */
export const listQuery = pageQuery.extend({
  cursor: longCursor,
  search: z.string().trim().max(200).optional(),
  sort: z
    .enum(["-createdAt", "createdAt", "name", "-name", "subscribed", "-subscribed"])
    .optional(),
});
export type ListQuery = z.infer<typeof listQuery>;

export const listFieldInput = z.strictObject({
  tag: z
    .string()
    .trim()
    .max(100)
    .transform((tag) => tag.toUpperCase())
    .pipe(
      z
        .string()
        .regex(/^[A-Z][A-Z0-9_]{0,49}$/, "is not letters, digits and _, beginning with a letter"),
    ),
  label: line(200).min(1, "is required"),
  type: z.enum(listFieldTypes, { error: `is not one of ${listFieldTypes.join(", ")}` }),
  defaultValue: z.string().max(2000).optional(),
  options: z.array(line(200).min(1, "is empty")).min(1, "is empty").max(200).optional(),
  visible: z.boolean().optional(),
  required: z.boolean().optional(),
});
export type ListFieldInput = z.infer<typeof listFieldInput>;

/** Values by tag. EMAIL, FIRST_NAME and LAST_NAME are the contact's and not among them. */
const fieldValues = openObject(z.string().max(100), z.string().max(2000));

export const subscriberInput = z.strictObject({
  email: emailAddress,
  firstName: contactInput.shape.firstName,
  lastName: contactInput.shape.lastName,
  tags: contactInput.shape.tags,
  fields: fieldValues.optional(),
  source: z.enum(subscriberSources),
  ipAddress: z.union([z.ipv4(), z.ipv6()]).optional(),
});
export type SubscriberInput = z.infer<typeof subscriberInput>;

export const subscriberUpdate = subscriberInput
  .pick({ email: true, firstName: true, lastName: true, fields: true })
  .partial()
  .extend({ basedOn });
export type SubscriberUpdate = z.infer<typeof subscriberUpdate>;

/** A subscriber added by hand. */
export const subscriberCreate = subscriberInput.omit({ source: true, ipAddress: true });

export const subscriberQuery = pageQuery.extend({
  status: z.enum(subscriberStatuses).optional(),
  /** A part of address or name. */
  search: z.string().trim().max(200).optional(),
});
export type SubscriberQuery = z.infer<typeof subscriberQuery>;

/** A mailing list as the dashboard sees it. */
export const mailingList = z.object({
  id: z.string(),
  name: z.string(),
  fromEmail: z.string(),
  /** false: the sender's domain is not verified in the project, so its mail comes from another address. */
  senderVerified: z.boolean(),
  fromName: z.string(),
  defaultSubject: z.string(),
  subscribeConfirmation: z.boolean(),
  sendWelcomeEmail: z.boolean(),
  unsubscribeNotification: z.boolean(),
  confirmationTemplateId: z.string().nullable(),
  welcomeTemplateId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** How many by status. */
  members: z.record(z.enum(subscriberStatuses), z.int()),
});
export type MailingList = z.infer<typeof mailingList>;

export const mailingListField = z.object({
  tag: z.string(),
  label: z.string(),
  type: z.enum(listFieldTypes),
  defaultValue: z.string().nullable(),
  options: z.array(z.string()).nullable(),
  required: z.boolean(),
  visible: z.boolean(),
});
export type MailingListField = z.infer<typeof mailingListField>;

export const mailingListDetail = mailingList.extend({
  /** `country_id` is alpha-2 where what was given names a country. */
  contact: listContact,
  fields: z.array(mailingListField),
  /** People reached by campaigns to the list, each counted once per campaign. */
  figures: z.object({
    delivered: z.int(),
    opened: z.int(),
    clicked: z.int(),
    deliveryConfirmed: z.boolean(),
    /**
     * What the rates are shares of: delivered mail if that is confirmed, otherwise mail that was accepted and did
     * not bounce.
     */
    arrived: z.int(),
    openRate: z.number(),
    clickRate: z.number(),
  }),
});
export type MailingListDetail = z.infer<typeof mailingListDetail>;

/** Whether campaigns to the list reach a member, and if not, why: the contact's state, or the membership's. */
const memberState = z.enum([...contactStates, "unconfirmed"]);
export type MemberState = z.infer<typeof memberState>;

export const listMember = z.object({
  id: z.string(),
  contactId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  status: z.enum(subscriberStatuses),
  state: memberState,
  source: z.enum(subscriberSources),
  /** They left all mail of the project, so campaigns skip them whatever the list says. */
  leftEverything: z.boolean(),
  fields: z.record(z.string(), z.string()),
  createdAt: z.iso.datetime(),
  /** When the membership or the contact last changed, whichever is later. */
  updatedAt: z.iso.datetime(),
});
export type ListMember = z.infer<typeof listMember>;
