import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { createCampaign } from "./campaigns";
import { listCampaigns } from "./read";
import { campaignInput, campaignQuery } from "./schema";

const database = useTestDatabase();
const news = { subject: "News", from: "news@sandbox.test", body: "<p>Hello</p>" };
const create = (ctx: Context, name: string) =>
  createCampaign(ctx, campaignInput.parse({ ...news, name }));
const list = (ctx: Context, query: object) => listCampaigns(ctx, campaignQuery.parse(query));
const refused = { code: "VALIDATION_ERROR", details: [{ path: "cursor" }] };

test("campaigns are listed by name or age, both ways, page by page, names that are the same or long included", async () => {
  const { ctx: own } = await makeProject(database.db);
  const long = "ü".repeat(200);
  const names = ["news", "Autumn", long, "News", "winter", "News"];
  for (const name of names) await create(own, name);
  const all = async (sort?: string) => {
    const seen: { id: string; name: string }[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(own, { limit: "1", sort, cursor });
      seen.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor);
    return seen;
  };
  const byName = await all("name");
  // Where a database puts the ü depends on its collation.
  expect(byName.map(({ name }) => name).filter((name) => name !== long)).toEqual([
    ...["Autumn", "news", "News", "News", "winter"],
  ]);
  expect(new Set(byName.map(({ id }) => id)).size).toBe(names.length);
  expect(await all("-name")).toEqual([...byName].reverse());
  expect((await all("createdAt")).map(({ name }) => name)).toEqual(names);
  expect((await all("-createdAt")).map(({ name }) => name)).toEqual([...names].reverse());
  const { nextCursor: cursor } = await list(own, { limit: "1", sort: "name" });
  await expect(list(own, { cursor })).rejects.toMatchObject(refused);
  const { nextCursor: ofAge } = await list(own, { limit: "1" });
  await expect(list(own, { cursor: ofAge, sort: "name" })).rejects.toMatchObject(refused);
});
