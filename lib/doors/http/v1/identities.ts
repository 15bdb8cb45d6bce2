import { z } from "zod";
import { listIdentities, unlinkIdentity } from "@/lib/domain/users/identities";
import { identityList } from "@/lib/domain/users/identity-schema";
import { freshProof } from "@/lib/domain/users/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = {
  tag: "Identities",
  rate: "api",
  sessionOnly: true,
  access: "viewer",
  successStatuses: [200],
} as const;

const params = z.object({ id: idParam("identity", "idn_01kat4rz8sfq3v6d1mpx3k6w9j") });

/** A person's own accounts at identity providers. */
export const identityOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/identities",
    name: "listIdentities",
    summary: "List your accounts at identity providers",
    answer: identityList,
    run: async (ctx) => ({ status: 200, body: await listIdentities(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/identities/{id}/unlink",
    name: "unlinkIdentity",
    summary: "Unlink an account at an identity provider",
    params,
    body: freshProof,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => {
      await unlinkIdentity(ctx, id, body);
      return { status: 204 };
    },
  }),
] as const;
