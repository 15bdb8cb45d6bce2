import { z } from "zod";
import { listFieldTypes } from "@/db/enums";
import { countryCode, countryName } from "@/lib/ground/geo/countries";
import { rateOf } from "@/lib/ground/counters/arrival";
import type { ListFigures } from "@/lib/domain/lists/engagement";
import type { List, ListField } from "@/lib/domain/lists/lists";
import { microseconds, timestamp } from "./values";

const fieldShape = {
  key: z.string(),
  label: z.string(),
  type: z.enum(listFieldTypes),
  tag: z.string(),
  default_value: z.string().nullable(),
  visible: z.boolean(),
  required: z.boolean(),
};
const listField = z.object(fieldShape).meta({ id: "Field" });
export const addedField = z
  .object({
    ...fieldShape,
    mail_list_id: z.int(),
    uid: z.string(),
    id: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "AddedField" });

const summaryShape = {
  uid: z.string(),
  name: z.string(),
  default_subject: z.string(),
  from_email: z.string(),
  from_name: z.string(),
  status: z.string().nullable().meta({ description: "null: lists have no states." }),
  created_at: timestamp,
  updated_at: timestamp,
};
export const summary = z.object({ id: z.int(), ...summaryShape }).meta({ id: "ListSummary" });
const rate = z.number().min(0).max(1);
const ofCampaigns =
  "that campaigns to it delivered, or, where no reports confirm deliveries, that were accepted and did not bounce";
export const detail = z
  .object({
    list: z.object({
      ...summaryShape,
      remind_message: z.string().nullable(),
      confirmation_template_uid: z.string().nullable(),
      welcome_template_uid: z.string().nullable(),
      fields: z.array(listField),
    }),
    contact: z.object({
      company: z.string(),
      address_1: z.string(),
      address_2: z.string(),
      country: z.string().meta({ description: "English name." }),
      state: z.string(),
      zip: z.string(),
      phone: z.string(),
      url: z.string(),
      email: z.string(),
      city: z.string(),
    }),
    statistics: z.object({
      subscriber_count: z.int().meta({ description: "Members of every status." }),
      open_uniq_rate: rate.meta({ description: `Of emails ${ofCampaigns}.` }),
      click_rate: rate.meta({ description: `Of emails ${ofCampaigns}.` }),
      subscribe_rate: rate.meta({ description: "Subscribed members, of all." }),
      unsubscribe_rate: rate.meta({ description: "Members who left, of all." }),
      unsubscribe_count: z.int(),
      unconfirmed_count: z.int(),
    }),
  })
  .meta({ id: "ListDetail" });

export function toSummaryShape(list: List) {
  return {
    uid: list.id,
    name: list.name,
    default_subject: list.defaultSubject,
    from_email: list.fromEmail,
    from_name: list.fromName,
    status: null,
    created_at: microseconds(list.createdAt),
    updated_at: microseconds(list.updatedAt),
  };
}

export function toField(field: ListField) {
  return {
    key: field.tag,
    label: field.label,
    type: field.type,
    tag: field.tag,
    default_value: field.defaultValue,
    visible: field.visible,
    required: field.required,
  };
}

export function toDetail(
  list: List & { fields: ListField[]; members: Record<string, number> },
  figures: ListFigures,
): z.input<typeof detail> {
  const { contact, members } = list;
  const all = Object.values(members).reduce((sum, count) => sum + count, 0);
  const country = countryCode(contact.country_id ?? "");
  return {
    list: {
      ...toSummaryShape(list),
      remind_message: list.remindMessage,
      confirmation_template_uid: list.confirmationTemplateId,
      welcome_template_uid: list.welcomeTemplateId,
      fields: list.fields.map(toField),
    },
    contact: {
      company: contact.company ?? "",
      address_1: contact.address_1 ?? "",
      address_2: contact.address_2 ?? "",
      country: (country && countryName(country)) ?? "",
      state: contact.state ?? "",
      zip: contact.zip ?? "",
      phone: contact.phone ?? "",
      url: contact.url ?? "",
      email: contact.email ?? "",
      city: contact.city ?? "",
    },
    statistics: {
      subscriber_count: all,
      open_uniq_rate: figures.openRate,
      click_rate: figures.clickRate,
      subscribe_rate: rateOf(members["subscribed"] ?? 0, all),
      unsubscribe_rate: rateOf(members["unsubscribed"] ?? 0, all),
      unsubscribe_count: members["unsubscribed"] ?? 0,
      unconfirmed_count: members["unconfirmed"] ?? 0,
    },
  };
}
