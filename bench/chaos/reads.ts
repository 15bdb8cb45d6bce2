import { createReportLink } from "@/lib/domain/campaign-reports/links";
import { listCampaigns } from "@/lib/domain/campaigns/read";
import type { Bomb, Target, Wave } from "./target";

const lanes = 2;

/** Files of all there is. */
const exports = [
  "/v1/contacts/export",
  "/v1/contacts/export?columns=id,firstName,lastName,tags,updatedAt",
  "/v1/contacts/subscription-history",
  "/v1/suppressions/export",
  "/v1/audit/export",
];

const reports = (campaign: string) => [
  `/v1/campaigns/${campaign}`,
  `/v1/campaigns/${campaign}/activity`,
  `/v1/campaigns/${campaign}/breakdown`,
  `/v1/campaigns/${campaign}/spread`,
  `/v1/campaigns/${campaign}/comparison`,
  "/v1/overview",
  "/v1/overview/providers",
  "/v1/contacts/departures",
  "/v1/contacts/fields",
];

/** As many conditions as a filter may have, none of which an index helps with. */
const filters = {
  "segments of a hundred parts of text": Array.from({ length: 100 }, (_, n) => ({
    field: ["email", "firstName", "data.city", "data.note"][n % 4],
    op: "contains",
    value: `never ${n}`,
  })),
  "segments of a hundred counts of mail": Array.from({ length: 100 }, (_, n) => ({
    field: ["sentEmails", "openedEmails", "clickedEmails", "bouncedEmails"][n % 4],
    op: "at_least",
    value: 900 + n,
    days: 3_600 - n,
  })),
};

/** Reads that look at everybody and everything, in a loop. */
export async function readBombs(target: Target): Promise<Wave[]> {
  const { headers, prefix } = await target.session();
  const gets = (name: string, paths: readonly string[]): Bomb => {
    let nth = 0;
    const next = () => prefix + paths[nth++ % paths.length];
    return { name, throw: () => target.ask(next(), { headers }) };
  };
  const { data } = await listCampaigns(target.ctx, { limit: 1, status: "SENT" });
  const campaign = data[0]?.id ?? "";
  const { url } = await createReportLink(target.ctx, campaign, {});
  const shared = target.doors.web + new URL(url).pathname;
  const segments = Object.entries(filters).map(async ([name, or]): Promise<Bomb> => {
    const key = await target.key(name);
    const body = JSON.stringify({ filter: { and: [{ or }] } });
    return { name, throw: () => target.ask("/v1/segments/preview", { key, body }) };
  });
  return [
    { lanes, bombs: [gets("exports", exports)] },
    { lanes, bombs: [gets("reports", reports(campaign))] },
    {
      lanes,
      bombs: [{ name: "reports by link", throw: () => target.ask(shared, {}) }],
    },
    { lanes, bombs: await Promise.all(segments) },
  ];
}
