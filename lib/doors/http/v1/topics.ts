import { z } from "zod";
import { topic, topicInput, topicList, topicUpdate } from "@/lib/domain/topics/schema";
import {
  createTopic,
  deleteTopic,
  getTopic,
  listTopics,
  updateTopic,
} from "@/lib/domain/topics/topics";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const tag = "Topics";
const example = {
  id: "top_01kat4rz8sfq3v6d1mpx3k6w9j",
  name: "Product news",
  description: "New features, monthly",
  departures: 12,
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
const params = z.object({ id: idParam("topic", example.id) });

export const topicOperations = [
  operation({
    method: "get",
    path: "/v1/topics",
    name: "listTopics",
    summary: "List topics",
    description: "All of them, by name: a project has fifty at most.",
    tag,
    access: "viewer",
    rate: "api",
    answer: topicList,
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listTopics(ctx) }),
  }),
  operation({
    method: "post",
    path: "/v1/topics",
    name: "createTopic",
    summary: "Create a topic",
    description: "Something you write about. Campaigns carry it as `topicId`.",
    tag,
    access: "editor",
    rate: "api",
    body: topicInput,
    answer: topic,
    answerExample: { ...example, departures: 0 },
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createTopic(ctx, body) }),
  }),
  operation({
    method: "get",
    path: "/v1/topics/{id}",
    name: "getTopic",
    summary: "Get a topic",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: topic,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params }) => ({ status: 200, body: await getTopic(ctx, params.id) }),
  }),
  operation({
    method: "patch",
    path: "/v1/topics/{id}",
    name: "updateTopic",
    summary: "Change a topic",
    description: "Only the given fields change.",
    tag,
    access: "editor",
    rate: "api",
    params,
    body: topicUpdate,
    answer: topic,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params, body }) => ({
      status: 200,
      body: await updateTopic(ctx, params.id, body),
    }),
  }),
  operation({
    method: "delete",
    path: "/v1/topics/{id}",
    name: "deleteTopic",
    summary: "Delete a topic",
    description:
      "Who had left it is forgotten with it. Refused while a campaign that carries it is scheduled or being sent; drafts lose it.",
    tag,
    access: "editor",
    rate: "api",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params }) => {
      await deleteTopic(ctx, params.id);
      return { status: 204 };
    },
  }),
];
