import { sql } from "drizzle-orm";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { sendEmail } from "@/lib/domain/emails/send";
import { encodeId } from "@/lib/ground/ids/ids";
import { createList } from "@/lib/domain/lists/lists";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import type { TestProject } from "@/lib/testing";

/** What makes a request to an operation of the platform surface succeed. */
export interface PlatformExample {
  /** Makes what the path names, in a project; returns its uid (or address). */
  uid?: (project: TestProject) => Promise<string>;
  /** A uid of the right kind that names nothing; absent: an unknown one is not an error. */
  unknownUid?: string;
  body?: (project: TestProject) => unknown;
  query?: (project: TestProject) => Promise<Record<string, string>>;
  /** Values that are refused. */
  wrongQuery?: Record<string, string>[];
}

const nothing = "01890000-0000-7000-8000-000000000000";
let createdSoFar = 0;
const address = () => `p${++createdSoFar}@sandbox.test`;

const anyList = async ({ ctx }: TestProject) =>
  (await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" })).id;

async function anySubscriber(project: TestProject): Promise<string> {
  const input = { email: address(), source: "api" as const };
  return (await addSubscriber(project.ctx, await anyList(project), input)).id;
}

async function knownAddress(project: TestProject): Promise<string> {
  const email = address();
  await addSubscriber(project.ctx, await anyList(project), { email, source: "api" });
  return email;
}

async function sendingCampaign({ ctx }: TestProject): Promise<string> {
  const { id } = await createCampaign(ctx, {
    name: "News",
    subject: "News",
    from: "news@sandbox.test",
    body: "<p>News</p>",
  });
  await sendCampaign(ctx, id, {});
  return id;
}

/** An email that was handed over. */
async function sentEmail({ ctx }: TestProject): Promise<string> {
  const { result } = await sendEmail(ctx, {
    to: address(),
    from: "hello@sandbox.test",
    subject: "Hello",
    body: "<p>Hello</p>",
  });
  await ctx.db.execute(sql`
    update emails set status = 'SENT', sent_at = app_now()
    where project_id = ${ctx.projectId}`);
  return result.data.emails[0]?.email ?? "";
}

const list = { uid: anyList, unknownUid: encodeId("list", nothing) };
const subscriber = { uid: anySubscriber, unknownUid: encodeId("subscriber", nothing) };
const campaign = { uid: sendingCampaign, unknownUid: encodeId("campaign", nothing) };
const wrongPages: Record<string, string>[] = [
  { page: "0" },
  { page: "x" },
  { per_page: "0" },
  { per_page: "1001" },
];

/** By operationId. An operation that is missing here fails the contract tests. */
export const platformExamples: Record<string, PlatformExample> = {
  createLoginToken: {},
  listLists: {},
  createList: { body: () => ({ name: "News", from_email: "news@sandbox.test" }) },
  getList: list,
  addListField: {
    ...list,
    body: () => ({ type: "text", label: "Company", tag: `FIELD_${++createdSoFar}` }),
  },
  deleteList: list,
  listSubscribers: {
    query: async (project) => ({ list_uid: await anyList(project), per_page: "5" }),
    wrongQuery: [...wrongPages, { open: "maybe" }, { click: "1" }],
  },
  createSubscriber: {
    body: async (project) => ({ list_uid: await anyList(project), EMAIL: address() }),
  },
  findSubscribers: { uid: knownAddress },
  getSubscriber: subscriber,
  updateSubscriber: { ...subscriber, body: () => ({ FIRST_NAME: "Grace" }) },
  deleteSubscriber: subscriber,
  tagSubscriber: { ...subscriber, body: () => ({ tag: "vip, early" }) },
  subscribe: subscriber,
  unsubscribe: subscriber,
  listCampaigns: { query: () => Promise.resolve({ page: "1" }), wrongQuery: wrongPages },
  getCampaign: campaign,
  pauseCampaign: campaign,
  uploadFiles: { body: () => ({ files: [{ url: "http://192.0.2.1:1/none.png" }] }) },
  notify: {
    body: async (project) => ({ message_id: await sentEmail(project), type: "sent" }),
  },
  notifyBounce: {
    body: async (project) => ({ message_id: await sentEmail(project), bounce_type: "soft" }),
  },
};
