import { z } from "zod";
import { listSegmentContacts } from "@/lib/domain/segment-members/segment-members";
import {
  deleteSegment,
  getSegment,
  listSegments,
  updateSegment,
} from "@/lib/domain/segments/segments";
import { segmentInput, type Segment } from "@/lib/domain/segments/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { ok, removed } from "./answers";
import { contactListed, toContactListed } from "./contacts";
import { listOf, listQuery, pageAfter, toList } from "./lists";

const shared = { tag: "Segments", rate: "api", successStatuses: [200] } as const;
const params = z.object({ id: z.string() });
const listed = z.object({ id: z.string(), name: z.string(), created_at: z.string() });
const touched = z.object({ object: z.literal("segment"), id: z.string() });

const toListed = ({ id, name, createdAt }: Segment) => ({ id, name, created_at: createdAt });

export const segmentOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/segments",
    name: "listSegments",
    summary: "List segments",
    access: "viewer",
    query: listQuery,
    answer: listOf(listed),
    run: async (ctx, { query }) => {
      const page = await listSegments(ctx, pageAfter("segment", query));
      return { status: 200, body: toList(page, toListed) };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/segments/{id}",
    name: "getSegment",
    summary: "Get a segment",
    access: "viewer",
    params,
    answer: listed.extend({ object: z.literal("segment") }),
    run: async (ctx, { params: { id } }) => ok("segment", toListed(await getSegment(ctx, id))),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/segments/{id}/contacts",
    name: "listSegmentContacts",
    summary: "List who is in a segment now",
    access: "viewer",
    params,
    query: listQuery,
    answer: listOf(contactListed),
    run: async (ctx, { params: { id }, query }) => {
      const page = await listSegmentContacts(ctx, id, pageAfter("contact", query));
      return { status: 200, body: toList(page, toContactListed) };
    },
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/segments/{id}",
    name: "renameSegment",
    summary: "Rename a segment",
    access: "editor",
    params,
    body: z.strictObject({ name: segmentInput.shape.name }),
    answer: touched,
    run: async (ctx, { params: { id }, body: { name } }) => {
      await updateSegment(ctx, id, { name });
      return ok("segment", { id });
    },
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/segments/{id}",
    name: "deleteSegment",
    summary: "Delete a segment",
    access: "editor",
    params,
    answer: touched.extend({ deleted: z.literal(true) }),
    run: async (ctx, { params: { id } }) => {
      await deleteSegment(ctx, id);
      return removed("segment", id);
    },
  }),
] as const;
