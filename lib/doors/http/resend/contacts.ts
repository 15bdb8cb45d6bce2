import { z } from "zod";
import { getContact, listContacts, updateContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import {
  contactInput,
  contactUpdate,
  largestData,
  type Contact,
} from "@/lib/domain/contacts/schema";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { openObject } from "@/lib/ground/open-object-schema";
import { validate } from "@/lib/ground/validate";
import { operation } from "@/lib/doors/http/surface/operation";
import { ok, thing } from "./answers";
import { listOf, listQuery, pageAfter, toList } from "./lists";
import { line } from "./send-body";
import { inTerms, refused, type Terms } from "./terms";

const shared = { tag: "Contacts", rate: "api", successStatuses: [200] } as const;
const params = z.object({ id: z.string() });
const touched = z.object({ object: z.literal("contact"), id: z.string() });

export const contactListed = z.object({
  id: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  unsubscribed: z.boolean(),
  created_at: z.string(),
});

const fields = {
  first_name: line.optional(),
  last_name: line.optional(),
  unsubscribed: z.boolean().optional(),
  properties: openObject(
    line,
    z.union([z.string().max(largestData), z.number(), z.boolean(), z.null()]),
  ).optional(),
};
type Fields = z.infer<z.ZodObject<typeof fields>>;

const terms: Terms = { firstName: "first_name", lastName: "last_name", data: "properties" };

const toFields = ({ first_name, last_name, unsubscribed, properties }: Fields) => ({
  ...{ firstName: first_name, lastName: last_name, unsubscribed, data: properties },
});

export function toContactListed(contact: Contact): z.infer<typeof contactListed> {
  return {
    id: contact.id,
    email: contact.email,
    first_name: contact.firstName,
    last_name: contact.lastName,
    unsubscribed: !contact.subscribed,
    created_at: contact.createdAt,
  };
}

const toProperties = (data: Contact["data"]) =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, { type: typeof value, value }]),
  );

export const contactOperations = [
  operation({
    ...shared,
    method: "post",
    path: "/contacts",
    name: "createContact",
    summary: "Create or update a contact",
    access: "editor",
    body: z.strictObject({
      email: line,
      ...fields,
      segments: refused("is not supported: who is in a segment is said by its conditions"),
      topics: refused("is not supported: people choose their topics themselves"),
    }),
    answer: touched,
    successStatuses: [201],
    run: (ctx, { body: { email, ...given } }) =>
      inTerms(terms, async () => {
        const input = validate(contactInput, { email, ...toFields(given) });
        const { contact } = await upsertContact(ctx, input);
        return { status: 201, body: thing("contact", { id: contact.id }) };
      }),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/contacts",
    name: "listContacts",
    summary: "List contacts",
    access: "viewer",
    query: listQuery,
    answer: listOf(contactListed),
    run: async (ctx, { query }) => {
      const page = await listContacts(ctx, pageAfter("contact", query));
      return { status: 200, body: toList(page, toContactListed) };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/contacts/{id}",
    name: "getContact",
    summary: "Get a contact",
    access: "viewer",
    params,
    answer: contactListed.extend({
      object: z.literal("contact"),
      properties: z.record(z.string(), z.object({ type: z.string(), value: z.unknown() })),
    }),
    run: async (ctx, { params: { id } }) => {
      const contact = await getContact(ctx, id);
      const properties = toProperties(contact.data);
      return ok("contact", { ...toContactListed(contact), properties });
    },
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/contacts/{id}",
    name: "updateContact",
    summary: "Change a contact",
    access: "editor",
    params,
    body: z.strictObject(fields),
    answer: touched,
    run: (ctx, { params, body }) =>
      inTerms(terms, async () => {
        const { id } = await updateContact(ctx, params.id, validate(contactUpdate, toFields(body)));
        return ok("contact", { id });
      }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/contacts/{id}",
    name: "deleteContact",
    summary: "Delete a contact for good",
    access: "editor",
    params,
    answer: z.object({
      object: z.literal("contact"),
      contact: z.string(),
      deleted: z.literal(true),
    }),
    run: async (ctx, { params: { id } }) => {
      await deleteContact(ctx, id);
      return ok("contact", { contact: id, deleted: true as const });
    },
  }),
] as const;
