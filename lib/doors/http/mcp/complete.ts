import {
  ProtocolError,
  ProtocolErrorCode,
  type CompleteRequestParams,
  type CompleteResult,
} from "@modelcontextprotocol/server";
import { listCampaigns } from "@/lib/domain/campaigns/read";
import { listContacts } from "@/lib/domain/contacts/contacts";
import { listSegments } from "@/lib/domain/segments/segments";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { requireRole, type Context } from "@/lib/ground/context";
import { prompts } from "./prompts";
import { reportTemplate } from "./resources";

/** Enough to choose from. */
const most = 20;
const longestValue = 200;

type Suggest = (ctx: Context, value: string) => Promise<{ names: string[]; more: boolean }>;

const query = (value: string) => ({ limit: most, ...(value ? { search: value } : {}) });

/** The ids of the newest campaigns whose name contains the value, or whose id begins with it. */
const campaignIds: Suggest = async (ctx, value) => {
  const byId = /^cmp_/.test(value);
  const { data, nextCursor } = await listCampaigns(ctx, query(byId ? "" : value));
  const names = data.map(({ id }) => id).filter((id) => !byId || id.startsWith(value));
  return { names, more: nextCursor !== undefined };
};

const segmentNames: Suggest = async (ctx, value) => {
  const { data, nextCursor } = await listSegments(ctx, query(value));
  return { names: data.map(({ name }) => name), more: nextCursor !== undefined };
};

const domainNames: Suggest = async (ctx, value) => {
  const { data, nextCursor } = await listDomains(ctx, query(value));
  return { names: data.map(({ name }) => name), more: nextCursor !== undefined };
};

const contactAddresses: Suggest = async (ctx, value) => {
  const { data, nextCursor } = await listContacts(ctx, query(value));
  return { names: data.map(({ email }) => email), more: nextCursor !== undefined };
};

const senders: Suggest = async (ctx, value) => {
  const [name = "", host = ""] = value.split("@");
  const { names, more } = await domainNames(ctx, host);
  return { names: names.map((domain) => `${name || "hello"}@${domain}`), more };
};

const suggestions: Readonly<Record<string, Suggest>> = {
  "write_campaign segment": segmentNames,
  "write_campaign from": senders,
  "explain_delivery email": contactAddresses,
  "check_domain domain": domainNames,
  [`${reportTemplate} id`]: campaignIds,
};

/** How a value may continue: names and ids in the caller's project. Throws ProtocolError for what is not ours. */
export async function complete(
  ctx: Context,
  { ref, argument }: CompleteRequestParams,
): Promise<CompleteResult> {
  requireRole(ctx, "viewer");
  const fault = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  const prompt = ref.type === "ref/prompt" ? prompts.find(({ name }) => name === ref.name) : null;
  if (prompt === undefined) throw fault("There is no such prompt.");
  if (ref.type === "ref/resource" && ref.uri !== reportTemplate) {
    throw fault(`There is no resource template ${ref.uri}.`);
  }
  const suggest = suggestions[`${prompt?.name ?? reportTemplate} ${argument.name}`];
  const isKnown = prompt?.arguments?.some(({ name }) => name === argument.name) ?? false;
  if (!suggest && !isKnown) throw fault(`There is no argument ${argument.name}.`);
  if (!suggest || argument.value.length > longestValue) return { completion: { values: [] } };
  const { names, more } = await suggest(ctx, argument.value.trim());
  return { completion: { values: names.slice(0, most), hasMore: more } };
}
