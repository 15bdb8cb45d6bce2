import { z } from "zod";
import { addListField, createList, deleteList, updateList } from "@/lib/domain/lists/lists";
import { getMailingList, listMailingLists } from "@/lib/domain/lists/overview";
import {
  listFieldInput,
  listInput,
  listMember,
  listQuery,
  listUpdate,
  mailingList,
  mailingListDetail,
  subscriberCreate,
  subscriberQuery,
  subscriberUpdate,
} from "@/lib/domain/lists/schema";
import { getSubscriber, listSubscribers } from "@/lib/domain/lists/subscribers";
import {
  addSubscriber,
  deleteSubscriber,
  subscribe,
  unsubscribe,
  updateSubscriber,
} from "@/lib/domain/lists/change-subscribers";
import { pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = { tag: "Lists", rate: "api", sessionOnly: true } as const;
const params = z.object({ id: idParam("list", "lst_01kat4rz8sfq3v6d1mpx3k6w9j") });
const memberParams = z.object({ id: idParam("subscriber", "sub_01kat4rz8sfq3v6d1mpx3k6w9j") });

export const listOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/lists",
    name: "listLists",
    summary: "List mailing lists",
    access: "viewer",
    query: listQuery,
    answer: pageSchema(mailingList),
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listMailingLists(ctx, query) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/lists",
    name: "createList",
    summary: "Create a mailing list",
    access: "editor",
    body: listInput,
    answer: mailingListDetail,
    successStatuses: [201],
    run: async (ctx, { body }) => {
      const { id } = await createList(ctx, body);
      return { status: 201, body: await getMailingList(ctx, id) };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/lists/{id}",
    name: "getList",
    summary: "Get a mailing list",
    access: "viewer",
    params,
    answer: mailingListDetail,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getMailingList(ctx, id) }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/v1/lists/{id}",
    name: "updateList",
    summary: "Change a mailing list",
    access: "editor",
    params,
    body: listUpdate,
    answer: mailingListDetail,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => {
      await updateList(ctx, id, body);
      return { status: 200, body: await getMailingList(ctx, id) };
    },
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/lists/{id}",
    name: "deleteList",
    summary: "Delete a mailing list",
    access: "editor",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await deleteList(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/lists/{id}/fields",
    name: "addListField",
    summary: "Add a field to a mailing list",
    access: "editor",
    params,
    body: listFieldInput,
    answer: mailingListDetail,
    successStatuses: [201],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, body }) => {
      await addListField(ctx, id, body);
      return { status: 201, body: await getMailingList(ctx, id) };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/lists/{id}/subscribers",
    name: "listSubscribers",
    summary: "List a mailing list's subscribers",
    access: "viewer",
    params,
    query: subscriberQuery,
    answer: pageSchema(listMember),
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, query }) => ({
      status: 200,
      body: await listSubscribers(ctx, id, query),
    }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/lists/{id}/subscribers",
    name: "addSubscriber",
    summary: "Add a subscriber to a mailing list",
    access: "editor",
    params,
    body: subscriberCreate,
    answer: listMember,
    successStatuses: [201],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 201,
      body: await addSubscriber(ctx, id, { ...body, source: "added" }),
    }),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/subscribers/{id}",
    name: "getSubscriber",
    summary: "Get a subscriber",
    access: "viewer",
    params: memberParams,
    answer: listMember,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getSubscriber(ctx, id) }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/v1/subscribers/{id}",
    name: "updateSubscriber",
    summary: "Change a subscriber",
    access: "editor",
    params: memberParams,
    body: subscriberUpdate,
    answer: listMember,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateSubscriber(ctx, id, body),
    }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/subscribers/{id}/subscribe",
    name: "subscribeSubscriber",
    summary: "Subscribe or confirm a member",
    access: "editor",
    params: memberParams,
    answer: listMember,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: (await subscribe(ctx, id)).subscriber,
    }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/subscribers/{id}/unsubscribe",
    name: "unsubscribeSubscriber",
    summary: "Unsubscribe a member from the list",
    access: "editor",
    params: memberParams,
    answer: listMember,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: (await unsubscribe(ctx, id)).subscriber,
    }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/subscribers/{id}",
    name: "deleteSubscriber",
    summary: "Take a subscriber off the list",
    access: "editor",
    params: memberParams,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteSubscriber(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
