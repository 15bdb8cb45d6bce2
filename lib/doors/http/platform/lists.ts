import { z } from "zod";
import { getListFigures } from "@/lib/domain/lists/engagement";
import {
  addListField,
  createList,
  deleteList,
  getList,
  listLists,
  type List,
} from "@/lib/domain/lists/lists";
import { operation } from "@/lib/doors/http/surface/operation";
import { fieldBody, listBody, renamed, toFieldInput, toListInput } from "./list-input";
import { addedField, detail, summary, toDetail, toField, toSummaryShape } from "./list-view";
import { done, microseconds, outcome, plainOutcome, uidParam } from "./values";

const tag = "Lists";
const exampleUid = "lst_01kat4rz8sfq3v6d1mpx3k6w9j";
const params = uidParam("list", exampleUid);

/** Every list, newest first: the contract has no paging here. */
async function allLists(ctx: Parameters<typeof listLists>[0]): Promise<List[]> {
  const lists: List[] = [];
  let cursor: string | undefined;
  do {
    const page = await listLists(ctx, { limit: 100, ...(cursor ? { cursor } : {}) });
    lists.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor);
  return lists;
}

const times = {
  created_at: "2026-11-21T07:00:00.000000Z",
  updated_at: "2026-11-21T07:00:00.000000Z",
};
const exampleSummary = {
  uid: exampleUid,
  name: "News",
  default_subject: "News from Example",
  from_email: "news@example.com",
  from_name: "Example",
  status: null,
  ...times,
};
const exampleField = {
  key: "COMPANY",
  label: "Company",
  type: "text",
  tag: "COMPANY",
  default_value: null,
  visible: true,
  required: false,
} as const;

export const listOperations = [
  operation({
    method: "get",
    path: "/lists",
    name: "listLists",
    summary: "List the mailing lists",
    description: "All of them, newest first.",
    tag,
    access: "viewer",
    rate: "api",
    answer: z.array(summary),
    answerExample: [{ id: 1, ...exampleSummary }],
    successStatuses: [200],
    run: async (ctx) => ({
      status: 200,
      body: (await allLists(ctx)).map((list) => ({ id: list.number, ...toSummaryShape(list) })),
    }),
  }),
  operation({
    method: "post",
    path: "/lists",
    name: "createList",
    summary: "Create a mailing list",
    description: "It has the fields EMAIL, FIRST_NAME and LAST_NAME.",
    tag,
    access: "editor",
    rate: "api",
    body: listBody,
    bodyExamples: {
      news: {
        summary: "A list with its sender",
        value: {
          name: "News",
          from_email: "news@example.com",
          from_name: "Example",
          default_subject: "News from Example",
          contact: {
            company: "Example Ltd",
            address_1: "1 High Street",
            city: "Berlin",
            state: "Berlin",
            zip: "10115",
            country_id: "276",
            email: "news@example.com",
            url: "https://example.com",
            phone: "+49 30 1234567",
          },
          subscribe_confirmation: "0",
          send_welcome_email: "0",
          unsubscribe_notification: "0",
        },
      },
    },
    answer: z.object({ ...outcome, list_uid: z.string() }),
    answerExample: { status: 1, message: "List was successfully created", list_uid: exampleUid },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { body }) => {
      const list = await createList(ctx, toListInput(body)).catch((error: unknown) => {
        throw renamed(error);
      });
      return done("List was successfully created", { list_uid: list.id });
    },
  }),
  operation({
    method: "get",
    path: "/lists/{uid}",
    name: "getList",
    summary: "Get a mailing list",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: detail,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid } }) => {
      const [list, figures] = await Promise.all([getList(ctx, uid), getListFigures(ctx, uid)]);
      return { status: 200, body: toDetail(list, figures) };
    },
  }),
  operation({
    method: "post",
    path: "/lists/{uid}/add-field",
    name: "addListField",
    summary: "Add a field",
    description: "Values of subscribers are checked against its type.",
    tag,
    access: "editor",
    rate: "api",
    params,
    body: fieldBody,
    bodyExamples: {
      company: { summary: "A text", value: { type: "text", label: "Company", tag: "COMPANY" } },
    },
    answer: z.object({ ...outcome, field: addedField }),
    answerExample: {
      status: 1,
      message: "List's field was created",
      field: {
        ...exampleField,
        mail_list_id: 1,
        uid: "fld_01kat4rz8kbw2x5n9q7c1v3m6t",
        id: "fld_01kat4rz8kbw2x5n9q7c1v3m6t",
        ...times,
      },
    },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid }, body }) => {
      const field = await addListField(ctx, uid, toFieldInput(body));
      const list = await getList(ctx, uid);
      return done("List's field was created", {
        field: {
          ...toField(field),
          mail_list_id: list.number,
          uid: field.id,
          id: field.id,
          created_at: microseconds(field.createdAt),
          updated_at: microseconds(field.updatedAt),
        },
      });
    },
  }),
  operation({
    method: "delete",
    path: "/lists/{uid}",
    name: "deleteList",
    summary: "Delete a mailing list",
    description:
      "Deletes its memberships; the contacts stay, and so do campaigns sent to it, with their figures. 409 while a campaign to it is scheduled, sending or paused.",
    tag,
    access: "editor",
    rate: "api",
    params,
    answer: plainOutcome,
    answerExample: { status: 1, message: "Deleted" },
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { uid } }) => {
      await deleteList(ctx, uid);
      return done("Deleted");
    },
  }),
] as const;
