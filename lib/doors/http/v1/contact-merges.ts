import { mergeContacts } from "@/lib/domain/contact-merges/merge";
import { previewMerge } from "@/lib/domain/contact-merges/preview";
import { mergeInput, mergePreview } from "@/lib/domain/contact-merges/schema";
import { contact } from "@/lib/domain/contacts/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { contactExample, contactParams, contactTag as tag } from "./contacts";

const other = "con_01kat4rz8k3n7r1v5x9a3d7g1j";
const person = {
  email: contactExample.email,
  firstName: "Ada",
  lastName: "Lovelace",
  subscribed: true,
  state: "reachable",
  tags: ["vip"],
  data: { plan: "pro" },
  lists: [{ id: "lst_01kat4rz8j2m6q0t4w8z2c6f0h", name: "Weekly", status: "subscribed" }],
  topicsLeft: [],
  pausedUntil: null,
  onceAWeekAtMost: false,
};
const unsubscribed = { subscribed: false, state: "unsubscribed" };
const common = {
  tag,
  access: "editor",
  rate: "api",
  params: contactParams,
  body: mergeInput,
  bodyExamples: {
    address: { summary: "By address", value: { other: "ada@example.org" } },
    fields: {
      summary: "With the other’s address and plan",
      value: { other, fields: { email: "other", data: { plan: "other" } } },
    },
  },
  successStatuses: [200],
  errors: ["NOT_FOUND", "CONFLICT"],
} as const;

export const contactMergeOperations = [
  operation({
    ...common,
    method: "post",
    path: "/v1/contacts/{id}/merge",
    name: "mergeContacts",
    summary: "Merge another contact into this one",
    description:
      "For somebody who is here twice. The other contact is gone afterwards; its mail, lists, tags, notes and history are this one’s. Whatever either has objected to stays objected to: an unsubscription, a complaint, a manual suppression, a topic, a break. Links in mail to either keep working. Mail that waits is sent to the address it was accepted for, but of a campaign that both were to get only one email. Cannot be undone; repeating it changes nothing. The ids may be addresses. While a campaign that has chosen one of the two is still choosing its recipients, the answer is `CONFLICT`.",
    answer: contact,
    answerExample: contactExample,
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await mergeContacts(ctx, id, body),
    }),
  }),
  operation({
    ...common,
    method: "post",
    path: "/v1/contacts/{id}/merge/preview",
    name: "previewMerge",
    summary: "See what merging two contacts would do",
    description: "Changes nothing. Takes what merging takes.",
    answer: mergePreview,
    answerExample: {
      contact: { id: contactExample.id, ...person },
      other: { id: other, ...person, ...unsubscribed, email: "ada@example.org" },
      result: { ...person, ...unsubscribed },
      waiting: 0,
    },
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await previewMerge(ctx, id, body),
    }),
  }),
] as const;
