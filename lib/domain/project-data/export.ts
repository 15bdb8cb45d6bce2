import { makeZip } from "client-zip";
import { listApiKeys } from "@/lib/domain/api-keys/api-keys";
import { getCampaign, listCampaigns } from "@/lib/domain/campaigns/read";
import { getCampaignVersion, listCampaignVersions } from "@/lib/domain/campaigns/versions";
import { listConnections } from "@/lib/domain/connections/connections";
import { listContactFields } from "@/lib/domain/contact-fields/fields";
import { subscriptionChangesAsCsv } from "@/lib/domain/contacts/consent-history";
import { contactsAsCsv } from "@/lib/domain/contacts/export";
import { contactSelection } from "@/lib/domain/contacts/selection";
import { listFiles } from "@/lib/domain/files/files";
import { listForms } from "@/lib/domain/forms/forms";
import { listGoals } from "@/lib/domain/goals/goals";
import { listInboundRoutes } from "@/lib/domain/inbound/routes";
import { getList, listLists } from "@/lib/domain/lists/lists";
import { listMembers } from "@/lib/domain/members/members";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { listSavedBlocks } from "@/lib/domain/saved-blocks/saved-blocks";
import { listStoredSegments } from "@/lib/domain/segments/segments";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { suppressionsAsCsv } from "@/lib/domain/suppressions/export";
import { getTemplate, listTemplates } from "@/lib/domain/templates/templates";
import { listTopics } from "@/lib/domain/topics/topics";
import { listWebhooks } from "@/lib/domain/webhooks/webhooks";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { isAppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import type { Page } from "@/lib/ground/paging/schema";
import { onReplica } from "@/lib/ground/replica";
import { readMe } from "./read-me";
import { contactPages, departurePages, memberPages } from "./rows";

type Row = object;
type Rows = AsyncIterable<readonly Row[]>;
type List<Item> = (ctx: Context, query: { limit: number; cursor?: string }) => Promise<Page<Item>>;

/** Everything that a list has, a page at a time. */
async function* all<Item extends Row>(ctx: Context, list: List<Item>) {
  for (let cursor: string | null = null; ;) {
    const after: string | null = cursor;
    const page: Page<Item> = await onReplica(ctx, (reading) =>
      list(reading, { limit: 100, ...(after === null ? {} : { cursor: after }) }),
    );
    yield page.data;
    cursor = page.nextCursor ?? null;
    if (cursor === null) return;
  }
}

async function* allTemplates(ctx: Context) {
  for (let page = 1; ; page++) {
    const read = await onReplica(ctx, (reading) => listTemplates(reading, { page, pageSize: 100 }));
    yield read.data;
    if (page >= read.totalPages) return;
  }
}

/** Each in full, one by one: an email's content can have megabytes. What is deleted meanwhile is left out. */
async function* inFull<Item extends { id: string }>(
  ctx: Context,
  pages: AsyncIterable<readonly Item[]>,
  get: (ctx: Context, id: string) => Promise<Row>,
) {
  for await (const page of pages) {
    for (const { id } of page) yield await unlessGone(ctx, (reading) => get(reading, id));
  }
}

async function unlessGone<Read>(ctx: Context, read: (ctx: Context) => Promise<Read>) {
  try {
    return [await onReplica(ctx, read)];
  } catch (error) {
    if (!isAppError(error) || error.code !== "NOT_FOUND") throw error;
    return [];
  }
}

/** What campaigns said before, in full, one by one. */
async function* earlierVersions(ctx: Context) {
  for await (const page of all(ctx, listCampaigns)) {
    for (const { id } of page) {
      const [listed = []] = await unlessGone(ctx, (reading) => listCampaignVersions(reading, id));
      for (const { version, isCurrent } of listed) {
        if (isCurrent) continue;
        const read = (reading: Context) => getCampaignVersion(reading, id, String(version));
        const rows = await unlessGone(ctx, read);
        yield rows.map((row) => ({ campaignId: id, ...row }));
      }
    }
  }
}

async function* once(rows: Promise<{ data: readonly Row[] }>) {
  yield (await rows).data;
}

/** The files with a JSON object a line, each read when it is its turn. Secrets are in none of what these verbs answer. */
const tablesOf = (ctx: Context): Record<string, () => Rows> => ({
  contacts: () => contactPages(ctx),
  lists: () => inFull(ctx, all(ctx, listLists), getList),
  "list-members": () => memberPages(ctx),
  topics: () => once(listTopics(ctx)),
  "topic-departures": () => departurePages(ctx),
  "contact-fields": () => once(listContactFields(ctx)),
  segments: () => all(ctx, listStoredSegments),
  forms: () => all(ctx, listForms),
  templates: () => inFull(ctx, allTemplates(ctx), getTemplate),
  "saved-blocks": () => once(listSavedBlocks(ctx)),
  campaigns: () => inFull(ctx, all(ctx, listCampaigns), getCampaign),
  "campaign-versions": () => earlierVersions(ctx),
  goals: () => once(listGoals(ctx)),
  domains: () => all(ctx, listDomains),
  // An admin would be shown the secret in the address that a provider reports to.
  connections: () => once(listConnections({ ...ctx, role: "viewer" })),
  webhooks: () => all(ctx, listWebhooks),
  "inbound-routes": () => all(ctx, listInboundRoutes),
  "api-keys": () => all(ctx, listApiKeys),
  files: () => all(ctx, listFiles),
  members: () => once(listMembers(ctx)),
});

async function* linesOf(rows: Rows, onRows: (count: number) => void) {
  for await (const page of rows) {
    onRows(page.length);
    if (page.length > 0) yield page.map((row) => `${JSON.stringify(row)}\n`).join("");
  }
}

/** What is read before the archive begins. */
interface Prepared {
  words: string;
  settings: unknown;
  contacts: ReadableStream<Uint8Array>;
}

async function* filesOf(ctx: Context, { words, settings, contacts }: Prepared) {
  const began = new Date();
  const file = <Input>(name: string, input: Input) => ({ name, lastModified: began, input });
  yield file("README.txt", words);
  yield file("project.json", `${JSON.stringify(settings, null, 2)}\n`);
  const rows: Record<string, number> = {};
  for (const [name, read] of Object.entries(tablesOf(ctx))) {
    rows[name] = 0;
    yield file(
      `${name}.ndjson`,
      linesOf(read(), (count) => (rows[name] = (rows[name] ?? 0) + count)),
    );
  }
  yield file("contacts.csv", contacts);
  yield file("consent.csv", subscriptionChangesAsCsv(ctx));
  yield file("suppressions.csv", suppressionsAsCsv(ctx, {}));
  const complete = { project: encodeId("project", ctx.projectId), began, ended: new Date(), rows };
  yield file("manifest.json", `${JSON.stringify(complete, null, 2)}\n`);
}

/**
 * The whole project as a ZIP, but for its mail, its events and secrets: read and written a stretch at a time, so that
 * memory stays flat at any size, no connection is held for a slow reader, and a reader that stops ends the reading. Each
 * file is as of the moment at which it is read; `manifest.json`, the last, is only there when all of it is. Throws
 * CONFLICT when reading the fields of all contacts takes too long, UNAVAILABLE when its turn does not come. Needs admin.
 */
export async function exportProject(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  requireRole(ctx, "admin");
  const settings = await getProjectSettings(ctx);
  // It looks through all contacts for their fields: should that take too long, it is told and not a broken archive.
  const columns = "id,firstName,lastName,tags,updatedAt";
  const contacts = await contactsAsCsv(ctx, { columns }, await contactSelection(ctx, {}));
  await audit(ctx.db, ctx, "export.project", encodeId("project", ctx.projectId), {
    name: settings.name,
  });
  const words = readMe(settings.name, new Date());
  return makeZip(filesOf(ctx, { words, settings, contacts }), { buffersAreUTF8: true });
}
