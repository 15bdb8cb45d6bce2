import { z } from "zod";
import {
  inviteMember,
  resendInvitation,
  withdrawInvitation,
} from "@/lib/domain/members/invitations";
import {
  leaveProject,
  listMembers,
  removeMember,
  updateMember,
} from "@/lib/domain/members/members";
import {
  invitationInput,
  memberList,
  memberUpdate,
  sentInvitation,
} from "@/lib/domain/members/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = { tag: "Members", rate: "api", sessionOnly: true } as const;
const memberParams = z.object({ id: idParam("user", "usr_01kat4rz8e0c4g8k2p6t0x4b8d") });
const invitationParams = z.object({ id: idParam("invitation", "inv_01kat4rz8e0c4g8k2p6t0x4b8d") });

/** A project's people. For sessions alone: a key that could let people in would outlive its being revoked. */
export const memberOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/members",
    name: "listMembers",
    summary: "List members and open invitations",
    access: "viewer",
    answer: memberList,
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listMembers(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/members/invitations",
    name: "inviteMember",
    summary: "Invite somebody",
    access: "admin",
    body: invitationInput,
    answer: sentInvitation,
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await inviteMember(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/members/invitations/{id}/send",
    name: "resendInvitation",
    summary: "Send an invitation again",
    access: "admin",
    params: invitationParams,
    answer: sentInvitation,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await resendInvitation(ctx, id),
    }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/members/invitations/{id}",
    name: "withdrawInvitation",
    summary: "Withdraw an invitation",
    access: "admin",
    params: invitationParams,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await withdrawInvitation(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/v1/members/{id}",
    name: "updateMember",
    summary: "Give a member another role",
    access: "admin",
    params: memberParams,
    body: memberUpdate,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => {
      await updateMember(ctx, id, body);
      return { status: 204 };
    },
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/members/{id}",
    name: "removeMember",
    summary: "Take a member out",
    access: "admin",
    params: memberParams,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await removeMember(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/members/leave",
    name: "leaveProject",
    summary: "Leave the project",
    access: "viewer",
    successStatuses: [204],
    errors: ["CONFLICT"],
    run: async (ctx) => {
      await leaveProject(ctx);
      return { status: 204 };
    },
  }),
] as const;
