import { isIP } from "node:net";
import { z } from "zod";
import { suppressionReasons } from "@/db/enums";
import type { Context } from "@/lib/ground/context";
import { isAppError } from "@/lib/ground/errors";
import { listFieldTags } from "@/lib/domain/lists/lists";
import { listMembers } from "@/lib/domain/lists/members";
import { findSubscribers, getSubscriber, type Subscriber } from "@/lib/domain/lists/subscribers";
import {
  addSubscriber,
  deleteSubscriber,
  tagSubscriber,
  updateSubscriber,
} from "@/lib/domain/lists/change-subscribers";
import { operation } from "@/lib/doors/http/surface/operation";
import { SubscriberExists } from "./errors";
import {
  joiningBody,
  namesFields,
  subscriberBody,
  tagText,
  toSubscriberInput,
  toTags,
} from "./subscriber-input";
import {
  listed,
  membership,
  subscriber,
  toDetail,
  toListed,
  toMembership,
} from "./subscriber-view";
import { subscriptionOperations } from "./subscription";
import { done, outcome, paging, plainOutcome, sliceOf, uidParam } from "./values";

const tag = "Subscribers";
const exampleUid = "sub_01kat4rz8sfq3v6d1mpx3k6w9j";
const exampleList = "lst_01kat4rz8sfq3v6d1mpx3k6w9j";
const params = uidParam("subscriber", exampleUid);
const perPage = 25;
const yesNo = z.enum(["yes", "no", "all"]);

const named = z.object({ ...outcome, subscriber_uid: z.string() });
const exampleListed = {
  uid: exampleUid,
  email: "ada@example.com",
  status: "subscribed" as const,
  FIRST_NAME: "Ada",
  LAST_NAME: "Lovelace",
};
const exampleDetail = {
  ...exampleListed,
  source: "api" as const,
  ip_address: "203.0.113.7",
  tags: ["vip"],
};

const messages = {
  asked: "Confirmation email sent to the subscriber",
  notAsked:
    "Subscriber was successfully created. No confirmation email sent to the subscriber: the list does not ask for one.",
  bounced:
    "Subscriber was successfully created. No confirmation email sent to the subscriber: mail to this address has bounced.",
  complained:
    "Subscriber was successfully created. No confirmation email sent to the subscriber: they have complained about mail.",
  suppressed:
    "Subscriber was successfully created. No confirmation email sent to the subscriber: the address is suppressed.",
  updated: "Subscriber was successfully updated",
  tagged: "Tag was added successfully",
  deleted: "Deleted",
};

/** The member of the list who has this address. */
async function findMember(
  ctx: Context,
  listUid: string,
  email: string,
): Promise<Subscriber | undefined> {
  return (await findSubscribers(ctx, email)).find(({ listId }) => listId === listUid);
}

const tagsOfList = async (ctx: Context, listUid: string) =>
  (await listFieldTags(ctx, [listUid]))(listUid);

async function join(ctx: Context, body: z.infer<typeof joiningBody>, address: string) {
  const tags = namesFields(body) ? await tagsOfList(ctx, body.list_uid) : [];
  const input = { ...toSubscriberInput(body, tags), email: body.EMAIL, source: "api" as const };
  const from = body.ip_address ?? callerAddress(address);
  try {
    return await addSubscriber(ctx, body.list_uid, {
      ...input,
      ...(from === undefined ? {} : { ipAddress: from }),
    });
  } catch (error) {
    if (!isAppError(error) || error.code !== "CONFLICT") throw error;
    const present = await findMember(ctx, body.list_uid, body.EMAIL);
    throw present ? new SubscriberExists(present.id) : error;
  }
}

/** Whether they were asked to confirm, and why not. */
function createdMessage({ status, state }: Subscriber): string {
  if (status === "bounced" || status === "complained") return messages[status];
  if (status !== "unconfirmed") return messages.notAsked;
  const isSuppressed = (suppressionReasons as readonly string[]).includes(state);
  return isSuppressed ? messages.suppressed : messages.asked;
}

/** Undefined where the address is not known, as behind Next without a proxy. */
function callerAddress(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(plain) === 0 ? undefined : plain;
}

export const subscriberOperations = [
  operation({
    method: "get",
    path: "/subscribers",
    name: "listSubscribers",
    summary: "List the subscribers of a list",
    description: "Newest first, of every status.",
    tag,
    access: "viewer",
    rate: "api",
    query: z.object({
      list_uid: z.string().max(100).meta({ example: exampleList }),
      open: yesNo
        .optional()
        .meta({ description: "yes: those who opened any mail; no: those who opened none." }),
      click: yesNo.optional().meta({
        description: "yes: those who clicked a link in any mail; no: those who clicked none.",
      }),
      ...paging(perPage),
    }),
    answer: z.array(listed),
    answerExample: [exampleListed],
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { query }) => {
      const { list_uid: listUid, open, click } = query;
      const [members, tags] = await Promise.all([
        listMembers(ctx, listUid, {
          ...(open && open !== "all" ? { opened: open === "yes" } : {}),
          ...(click && click !== "all" ? { clicked: click === "yes" } : {}),
          ...sliceOf(query, perPage),
        }),
        listFieldTags(ctx, [listUid]),
      ]);
      return {
        status: 200,
        body: members.map((member) => toListed(member, tags(member.listId))),
      };
    },
  }),
  operation({
    method: "post",
    path: "/subscribers",
    name: "createSubscriber",
    summary: "Subscribe an address to a list",
    description:
      "A list that asks for confirmation sends an email, and the subscriber stays unconfirmed until its link is followed. For an address already on the list: 409 with its subscriber_uid. Tags are added to the contact's tags.",
    tag,
    access: "editor",
    rate: "api",
    body: joiningBody,
    bodyExamples: {
      ada: {
        summary: "With a name and a tag",
        value: {
          list_uid: exampleList,
          EMAIL: "ada@example.com",
          FIRST_NAME: "Ada",
          LAST_NAME: "Lovelace",
          tag: "vip, early",
        },
      },
    },
    answer: named,
    answerExample: { status: 1, message: messages.asked, subscriber_uid: exampleUid },
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT", "DOMAIN_NOT_VERIFIED", "PAYMENT_REQUIRED"],
    run: async (ctx, { body, clientAddress }) => {
      const joined = await join(ctx, body, clientAddress());
      return done(createdMessage(joined), { subscriber_uid: joined.id });
    },
  }),
  operation({
    method: "get",
    path: "/subscribers/email/{email}",
    name: "findSubscribers",
    summary: "Find an address on all lists",
    description: "One entry for each list the address is on.",
    tag,
    access: "viewer",
    rate: "api",
    params: z.object({
      email: z.string().meta({ description: "An email address.", example: "ada@example.com" }),
    }),
    answer: z.object({ subscribers: z.array(membership) }),
    answerExample: { subscribers: [{ list_uid: exampleList, ...exampleDetail }] },
    successStatuses: [200],
    errors: ["VALIDATION_ERROR"],
    run: async (ctx, { params: { email } }) => {
      const memberships = await findSubscribers(ctx, email);
      const tags = await listFieldTags(
        ctx,
        memberships.map(({ listId }) => listId),
      );
      return {
        status: 200,
        body: { subscribers: memberships.map((one) => toMembership(one, tags(one.listId))) },
      };
    },
  }),
  operation({
    method: "get",
    path: "/subscribers/{uid}",
    name: "getSubscriber",
    summary: "Get a subscriber",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: z.object({ subscriber }),
    answerExample: { subscriber: exampleDetail },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid } }) => {
      const member = await getSubscriber(ctx, uid);
      const tags = await listFieldTags(ctx, [member.listId]);
      return { status: 200, body: { subscriber: toDetail(member, tags(member.listId)) } };
    },
  }),
  operation({
    method: "patch",
    path: "/subscribers/{uid}",
    name: "updateSubscriber",
    summary: "Change a subscriber",
    description:
      "Only the given fields change; an empty value clears a field. EMAIL, FIRST_NAME, LAST_NAME and tags belong to the contact and so change on every list; tags are added. 409 if EMAIL belongs to another contact.",
    tag,
    access: "editor",
    rate: "api",
    params,
    body: subscriberBody,
    bodyExamples: { name: { summary: "A new name", value: { FIRST_NAME: "Augusta" } } },
    answer: named,
    answerExample: { status: 1, message: messages.updated, subscriber_uid: exampleUid },
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { uid }, body }) => {
      const listTags = namesFields(body)
        ? await tagsOfList(ctx, (await getSubscriber(ctx, uid)).listId)
        : [];
      const updated = await updateSubscriber(ctx, uid, toSubscriberInput(body, listTags));
      return done(messages.updated, { subscriber_uid: updated.id });
    },
  }),
  operation({
    method: "delete",
    path: "/subscribers/{uid}",
    name: "deleteSubscriber",
    summary: "Take a subscriber off the list",
    description: "The contact and its other memberships stay.",
    tag,
    access: "editor",
    rate: "api",
    params,
    answer: plainOutcome,
    answerExample: { status: 1, message: messages.deleted },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid } }) => {
      await deleteSubscriber(ctx, uid);
      return done(messages.deleted);
    },
  }),
  operation({
    method: "post",
    path: "/subscribers/{uid}/add-tag",
    name: "tagSubscriber",
    summary: "Add tags",
    description: "Adds to the contact's tags; existing ones stay.",
    tag,
    access: "editor",
    rate: "api",
    params,
    body: z.object({ tag: tagText }),
    bodyExamples: { two: { summary: "Two tags", value: { tag: "vip, early" } } },
    answer: named.extend({ tags: z.array(z.string()) }),
    answerExample: {
      status: 1,
      message: messages.tagged,
      subscriber_uid: exampleUid,
      tags: ["vip", "early"],
    },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid }, body }) => {
      const tagged = await tagSubscriber(ctx, uid, toTags(body.tag));
      return done(messages.tagged, { subscriber_uid: tagged.id, tags: tagged.tags });
    },
  }),
  ...subscriptionOperations,
] as const;
