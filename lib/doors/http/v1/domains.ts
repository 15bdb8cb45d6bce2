import { z } from "zod";
import {
  createDomain,
  deleteDomain,
  getDomain,
  listDomains,
  updateDomain,
} from "@/lib/domain/sending-domains/domains";
import {
  domain,
  domainCreate,
  domainQuery,
  domainUpdate,
} from "@/lib/domain/sending-domains/schema";
import { getWarmup, setWarmup } from "@/lib/domain/sending-domains/warm-up";
import { warmup, warmupInput } from "@/lib/domain/warm-up/schema";
import { verifyDomain } from "@/lib/domain/sending-domains/verify";
import { pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const tag = "Domains";
export const domainExample = {
  id: "dom_01kat4rz8sfq3v6d1mpx3k6w9j",
  name: "mail.example.com",
  status: "PENDING",
  builtIn: false,
  verifiedAt: null,
  checkedAt: "2026-11-21T09:30:04.000Z",
  nextCheckAt: "2026-11-21T09:30:34.000Z",
  tracking: { opens: true, clicks: true },
  inbound: false,
  trackingHost: "links.mail.example.com",
  trackingHostActive: false,
  connectionId: null,
  warmup: { enabled: false, state: "off", startedOn: null, day: null, dailyCap: null },
  records: [
    {
      purpose: "DKIM",
      type: "TXT",
      name: "lm4f1c09a7be._domainkey.mail.example.com",
      value: "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAw8(and so on)",
      required: true,
      status: "FAILED",
      found: [],
      problem: { kind: "missing", message: "There is no DKIM record at this name." },
    },
    {
      purpose: "SPF",
      type: "TXT",
      name: "bounces.mail.example.com",
      value: "v=spf1 ip4:192.0.2.10 ~all",
      required: true,
      status: "VERIFIED",
      found: ["v=spf1 ip4:192.0.2.10 ~all"],
      problem: null,
    },
    {
      purpose: "RETURN_PATH",
      type: "MX",
      name: "bounces.mail.example.com",
      value: "mx.lettermill.example",
      priority: 10,
      required: false,
      status: "VERIFIED",
      found: ["10 mx.lettermill.example"],
      problem: null,
    },
    {
      purpose: "DMARC",
      type: "TXT",
      name: "_dmarc.mail.example.com",
      value:
        "v=DMARC1; p=none; rua=mailto:d-01kat4rz8sfq3v6d1mpx3k6w9j-5f0c2b7e9d4a18c36b02@bounces.mail.example.com;",
      required: true,
      status: "VERIFIED",
      found: ["_dmarc.example.com: v=DMARC1; p=reject"],
      problem: null,
    },
    {
      purpose: "TRACKING",
      type: "CNAME",
      name: "links.mail.example.com",
      value: "lettermill.example",
      required: false,
      status: "FAILED",
      found: [],
      problem: { kind: "missing", message: "There is no CNAME record at this name." },
    },
  ],
  createdAt: "2026-11-21T09:28:11.000Z",
} satisfies z.input<typeof domain>;

const warmupExample = {
  enabled: true,
  state: "warming",
  startedOn: "2026-11-20",
  day: 3,
  dailyCap: 400,
  schedule: [150, 250, 400, 700, 1_000, 1_500, 2_000],
  hourlyCap: 40,
  today: { transactional: 21, campaigns: 139 },
  remainingToday: 240,
  waiting: 3_180,
  slowed: null,
  slowedReceivers: [
    {
      receiver: "google.com",
      dailyCap: 120,
      sentToday: 85,
      until: "2026-11-27",
      reason: "throttled",
      message: "google.com asks for less mail.",
      since: "2026-11-21T15:04:10.000Z",
    },
  ],
  endsOn: "2026-11-26",
  history: [
    {
      day: "2026-11-20",
      cap: 150,
      transactional: 18,
      campaigns: 132,
      bounced: 1,
      complained: 0,
      slowed: null,
    },
  ],
} satisfies z.input<typeof warmup>;

const params = z.object({ id: idParam("domain", domainExample.id) });

export const domainOperations = [
  operation({
    method: "post",
    path: "/v1/domains",
    name: "createDomain",
    summary: "Add a sending domain",
    description:
      "The answer lists the DNS records to publish; then ask for verification. A domain covers exactly its own name: `example.com` does not cover `mail.example.com`.",
    tag,
    access: "admin",
    rate: "api",
    body: domainCreate,
    bodyExamples: {
      name: { summary: "A subdomain for mail", value: { name: domainExample.name } },
    },
    answer: domain,
    answerExample: domainExample,
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createDomain(ctx, body) }),
  }),
  operation({
    method: "get",
    path: "/v1/domains",
    name: "listDomains",
    summary: "List sending domains",
    tag,
    access: "viewer",
    rate: "api",
    query: domainQuery,
    answer: pageSchema(domain).meta({ id: "DomainPage" }),
    answerExample: { data: [domainExample] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listDomains(ctx, query) }),
  }),
  operation({
    method: "get",
    path: "/v1/domains/{id}",
    name: "getDomain",
    summary: "Get a sending domain",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: domain,
    answerExample: domainExample,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getDomain(ctx, id) }),
  }),
  operation({
    method: "patch",
    path: "/v1/domains/{id}",
    name: "updateDomain",
    summary: "Change a sending domain",
    description:
      "Whether opens and clicks of its mail are counted when a send or a campaign does not say, whether mail to its addresses is taken, the host of its own that links in its mail lead to, and which sending connection its mail leaves through.",
    tag,
    access: "admin",
    rate: "api",
    params,
    body: domainUpdate,
    bodyExamples: {
      quiet: { summary: "Count nothing", value: { tracking: { opens: false, clicks: false } } },
      inbound: { summary: "Take mail", value: { inbound: true } },
      links: {
        summary: "Links under a host of its own",
        value: { trackingHost: "links.mail.example.com" },
      },
    },
    answer: domain,
    answerExample: { ...domainExample, tracking: { opens: false, clicks: false } },
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateDomain(ctx, id, body),
    }),
  }),
  operation({
    method: "delete",
    path: "/v1/domains/{id}",
    name: "deleteDomain",
    summary: "Delete a sending domain",
    description:
      "Its DKIM key is deleted for good. Mail from it that has not been handed over yet ends as FAILED.",
    tag,
    access: "admin",
    rate: "api",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await deleteDomain(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    method: "post",
    path: "/v1/domains/{id}/verify",
    name: "verifyDomain",
    summary: "Verify a sending domain",
    description:
      "Looks up the records at once and says for each what was found. While some are missing, checks continue automatically for 72 hours.",
    tag,
    access: "admin",
    rate: "api",
    params,
    answer: domain,
    answerExample: domainExample,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await verifyDomain(ctx, id) }),
  }),
  operation({
    method: "get",
    path: "/v1/domains/{id}/warmup",
    name: "getWarmup",
    summary: "Get a sending domain's warm-up",
    description:
      "The plan by which its campaign mail grows day by day, what has gone out, and what waits. Days are UTC days.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: warmup,
    answerExample: warmupExample,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getWarmup(ctx, id) }),
  }),
  operation({
    method: "put",
    path: "/v1/domains/{id}/warmup",
    name: "setWarmup",
    summary: "Set a sending domain's warm-up",
    description:
      "Campaign mail takes what transactional mail leaves of a day's cap, a tenth of it an hour at most; the rest waits for the next hours and days, the most engaged people first. Transactional mail is counted and never held back.",
    tag,
    access: "admin",
    rate: "api",
    params,
    body: warmupInput,
    bodyExamples: {
      default: { summary: "The default plan of 30 days", value: { enabled: true } },
      own: {
        summary: "A plan of your own",
        value: { enabled: true, schedule: [150, 250, 400, 700, 1_000, 1_500, 2_000] },
      },
      off: { summary: "Hold nothing back", value: { enabled: false } },
    },
    answer: warmup,
    answerExample: warmupExample,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await setWarmup(ctx, id, body),
    }),
  }),
] as const;
