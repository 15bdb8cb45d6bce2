import { z } from "zod";
import { topicInput, topicUpdate, type Topic } from "@/lib/domain/topics/schema";
import {
  createTopic,
  deleteTopic,
  getTopic,
  listTopics,
  updateTopic,
} from "@/lib/domain/topics/topics";
import { operation } from "@/lib/doors/http/surface/operation";
import { removed } from "./answers";
import { listOf, toList } from "./lists";

const shared = { tag: "Topics", rate: "api", successStatuses: [200] } as const;
const params = z.object({ id: z.string() });
const touched = z.object({ id: z.string() });
const shown = z.object({
  ...{ id: z.string(), name: z.string(), description: z.string(), created_at: z.string() },
  default_subscription: z.literal("opt_in"),
});

/** People get what a topic is about until they leave it. */
const toShown = ({ id, name, description, createdAt }: Topic) => ({
  ...{ id, name, description, created_at: createdAt },
  default_subscription: "opt_in" as const,
});

export const topicOperations = [
  operation({
    ...shared,
    method: "post",
    path: "/topics",
    name: "createTopic",
    summary: "Create a topic",
    access: "editor",
    body: topicInput.extend({
      default_subscription: z.literal("opt_in", {
        error: () => "must be opt_in: people get what a topic is about until they leave it",
      }),
    }),
    answer: touched,
    successStatuses: [201],
    run: async (ctx, { body: { default_subscription: _, ...input } }) => {
      const { id } = await createTopic(ctx, input);
      return { status: 201, body: { id } };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/topics",
    name: "listTopics",
    summary: "List all topics, by name",
    access: "viewer",
    answer: listOf(shown),
    run: async (ctx) => ({ status: 200, body: toList(await listTopics(ctx), toShown) }),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/topics/{id}",
    name: "getTopic",
    summary: "Get a topic",
    access: "viewer",
    params,
    answer: shown,
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: toShown(await getTopic(ctx, id)),
    }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/topics/{id}",
    name: "updateTopic",
    summary: "Change a topic",
    access: "editor",
    params,
    // The client repeats the id in the body.
    body: topicUpdate.omit({ basedOn: true }).extend({ id: z.string().max(100).optional() }),
    answer: touched,
    run: async (ctx, { params: { id }, body: { id: _, ...input } }) => {
      await updateTopic(ctx, id, input);
      return { status: 200, body: { id } };
    },
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/topics/{id}",
    name: "deleteTopic",
    summary: "Delete a topic",
    access: "editor",
    params,
    answer: touched.extend({ object: z.literal("topic"), deleted: z.literal(true) }),
    run: async (ctx, { params: { id } }) => {
      await deleteTopic(ctx, id);
      return removed("topic", id);
    },
  }),
] as const;
