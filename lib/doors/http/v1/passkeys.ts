import { z } from "zod";
import {
  passkey,
  passkeyCreate,
  passkeyList,
  passkeyOptions,
  passkeyUpdate,
} from "@/lib/domain/users/passkey-schema";
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "@/lib/domain/users/passkeys";
import { freshProof } from "@/lib/domain/users/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = {
  tag: "Passkeys",
  rate: "api",
  sessionOnly: true,
  access: "viewer",
  successStatuses: [200],
} as const;

const params = z.object({ id: idParam("passkey", "psk_01kat4rz8sfq3v6d1mpx3k6w9j") });

/** A person's own passkeys. */
export const passkeyOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/passkeys",
    name: "listPasskeys",
    summary: "List your passkeys",
    answer: passkeyList,
    run: async (ctx) => ({ status: 200, body: await listPasskeys(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/passkeys/begin",
    name: "beginPasskey",
    summary: "Begin to add a passkey",
    body: freshProof,
    answer: passkeyOptions,
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 200, body: await beginPasskey(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/passkeys",
    name: "addPasskey",
    summary: "Add a passkey",
    body: passkeyCreate,
    answer: passkey,
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await addPasskey(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/v1/passkeys/{id}",
    name: "renamePasskey",
    summary: "Rename a passkey",
    params,
    body: passkeyUpdate,
    answer: passkey,
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await renamePasskey(ctx, id, body),
    }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/passkeys/{id}/remove",
    name: "removePasskey",
    summary: "Remove a passkey",
    params,
    body: freshProof,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, body }) => {
      await removePasskey(ctx, id, body);
      return { status: 204 };
    },
  }),
] as const;
