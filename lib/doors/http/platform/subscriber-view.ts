import { z } from "zod";
import { subscriberStatuses } from "@/db/enums";
import type { Subscriber } from "@/lib/domain/lists/subscribers";

/** Its clients know these three: somebody who signed up through a form counts as added. */
const sources = ["added", "api", "import"] as const;

const shape = {
  uid: z.string(),
  email: z.string(),
  status: z.enum(subscriberStatuses),
};
const detailShape = {
  ...shape,
  source: z.enum(sources),
  ip_address: z.string().nullable(),
  tags: z.array(z.string()),
};
const fields = z.string().meta({ description: "A field of the list, by its tag." });

export const listed = z.object(shape).catchall(fields).meta({ id: "ListedSubscriber" });
export const subscriber = z.object(detailShape).catchall(z.unknown()).meta({ id: "Subscriber" });
export const membership = z
  .object({ list_uid: z.string(), ...detailShape })
  .catchall(z.unknown())
  .meta({ id: "Membership" });

/** One property per field of the list; empty where it was not filled in. */
function fieldValues(member: Subscriber, tags: readonly string[]): Record<string, string> {
  const own: Record<string, string> = { FIRST_NAME: member.firstName, LAST_NAME: member.lastName };
  return Object.fromEntries(
    tags.filter((tag) => tag !== "EMAIL").map((tag) => [tag, own[tag] ?? member.fields[tag] ?? ""]),
  );
}

/** @param tags of the list's fields, in their order. */
export function toListed(one: Subscriber, tags: readonly string[]): z.input<typeof listed> {
  return { uid: one.id, email: one.email, status: one.status, ...fieldValues(one, tags) };
}

export function toDetail(one: Subscriber, tags: readonly string[]): z.input<typeof subscriber> {
  return {
    uid: one.id,
    email: one.email,
    status: one.status,
    source: one.source === "form" ? "added" : one.source,
    ip_address: one.ipAddress,
    tags: one.tags,
    ...fieldValues(one, tags),
  };
}

export function toMembership(one: Subscriber, tags: readonly string[]): z.input<typeof membership> {
  return { ...toDetail(one, tags), list_uid: one.listId };
}
