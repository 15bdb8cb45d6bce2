import { z } from "zod";
import {
  createDomain,
  deleteDomain,
  getDomain,
  listDomains,
  updateDomain,
} from "@/lib/domain/sending-domains/domains";
import { domainCreate, domainUpdate, type DomainUpdate } from "@/lib/domain/sending-domains/schema";
import { verifyDomain } from "@/lib/domain/sending-domains/verify";
import { validate } from "@/lib/ground/validate";
import { operation } from "@/lib/doors/http/surface/operation";
import { ok, removed } from "./answers";
import { domainListed, domainShown, toListed, toShown } from "./domain-view";
import { listOf, listQuery, pageAfter, toList } from "./lists";
import { line } from "./send-body";
import { inTerms, refused, type Terms } from "./terms";

const shared = { tag: "Domains", rate: "api", successStatuses: [200] } as const;
const params = z.object({ id: z.string() });
const touched = z.object({ object: z.literal("domain"), id: z.string() });

const capabilities = z
  .strictObject({
    sending: z
      .literal("enabled", { error: () => "must be enabled: every domain may send" })
      .optional(),
    receiving: z.enum(["enabled", "disabled"]).optional(),
  })
  .optional();

/** What can be said of a domain when it is added and later. */
const settings = {
  open_tracking: z.boolean().optional(),
  click_tracking: z.boolean().optional(),
  capabilities,
  tls: z
    .literal("opportunistic", {
      error: () => "must be opportunistic: what receivers demand of TLS is kept to in any case",
    })
    .optional(),
};
type Settings = z.infer<z.ZodObject<typeof settings>>;

const terms: Terms = { trackingHost: "tracking_subdomain" };

function toUpdate(settings: Settings, trackingHost?: string): DomainUpdate {
  const { open_tracking: opens, click_tracking: clicks } = settings;
  const receiving = settings.capabilities?.receiving;
  return validate(domainUpdate, {
    tracking: { opens, clicks },
    inbound: receiving === undefined ? undefined : receiving === "enabled",
    trackingHost,
  });
}

export const domainOperations = [
  operation({
    ...shared,
    method: "post",
    path: "/domains",
    name: "createDomain",
    summary: "Add a sending domain",
    access: "admin",
    body: z.strictObject({
      name: line,
      ...settings,
      region: refused("is not supported: mail leaves from where this server stands"),
      custom_return_path: refused("is not supported: the answer's records name the return path"),
      tracking_subdomain: refused("cannot be given yet: change the domain once it is added"),
    }),
    answer: domainShown,
    successStatuses: [201],
    run: async (ctx, { body: { name, ...settings } }) => {
      const update = toUpdate(settings);
      const created = await createDomain(ctx, validate(domainCreate, { name }));
      const isDefault = Object.values(settings).every((value) => value === undefined);
      const domain = isDefault ? created : await updateDomain(ctx, created.id, update);
      return { status: 201, body: toShown(domain) };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/domains",
    name: "listDomains",
    summary: "List sending domains",
    access: "viewer",
    query: listQuery,
    answer: listOf(domainListed),
    run: async (ctx, { query }) => {
      const page = await listDomains(ctx, pageAfter("domain", query));
      return { status: 200, body: toList(page, toListed) };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/domains/{id}",
    name: "getDomain",
    summary: "Get a sending domain",
    access: "viewer",
    params,
    answer: domainShown,
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: toShown(await getDomain(ctx, id)),
    }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/domains/{id}",
    name: "updateDomain",
    summary: "Change a sending domain",
    access: "admin",
    params,
    body: z.strictObject({
      ...settings,
      tracking_subdomain: z.string().min(1, "is empty").max(200).optional(),
    }),
    answer: touched,
    run: (ctx, { params: { id }, body: { tracking_subdomain: subdomain, ...settings } }) =>
      inTerms(terms, async () => {
        const { name } = await getDomain(ctx, id);
        const host = subdomain === undefined ? undefined : `${subdomain}.${name}`;
        await updateDomain(ctx, id, toUpdate(settings, host));
        return ok("domain", { id });
      }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/domains/{id}",
    name: "deleteDomain",
    summary: "Delete a sending domain",
    access: "admin",
    params,
    answer: touched.extend({ deleted: z.literal(true) }),
    run: async (ctx, { params: { id } }) => {
      await deleteDomain(ctx, id);
      return removed("domain", id);
    },
  }),
  operation({
    ...shared,
    method: "post",
    path: "/domains/{id}/verify",
    name: "verifyDomain",
    summary: "Verify a sending domain",
    access: "admin",
    params,
    answer: touched,
    run: async (ctx, { params: { id } }) => {
      await verifyDomain(ctx, id);
      return ok("domain", { id });
    },
  }),
] as const;
