import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { advance, seedContacts } from "@/lib/testing/campaigns";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { dispatchDue } from "@/lib/testing/delivery";
import { makeProject } from "@/lib/testing";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();
const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";

const visit = (url: string, agent = chrome) =>
  app.fetch(new Request(url, { headers: { "user-agent": agent } }));

test("what readers of a campaign do shows in its figures at once", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await seedContacts(database.db, projectId, 4);
  const { id } = await createCampaign(ctx, {
    name: "News",
    subject: "News",
    from: "news@sandbox.test",
    body: '<p>Hello</p><a href="https://shop.example/a">A</a><a href="https://shop.example/b?x=1&amp;y=2">B</a>',
  });
  await sendCampaign(ctx, id, {});
  await advance(database.db);
  await dispatchDue({ db: database.db, transport: null });
  const captured = await database.db.execute<{ raw: Buffer }>(sql`
    select k.raw from captured_emails k where k.project_id = ${projectId} order by k.envelope_to`);
  const readers = await Promise.all(
    captured.map(async ({ raw }) => {
      const { html = "" } = await PostalMime.parse(raw);
      const links = [...html.matchAll(/href="(http:[^"]*\/t\/c\/[^"]*)"/g)].map(
        ([, url]) => url ?? "",
      );
      return { links, pixel: /src="(http:[^"]*\/t\/o\/[^"]*)"/.exec(html)?.[1] ?? "" };
    }),
  );
  expect(readers.map(({ links }) => links.length)).toEqual([2, 2, 2, 2]);
  const [opens, clicks, both, machine] = readers;
  await visit(opens?.pixel ?? "");
  await visit(opens?.pixel ?? "");
  await visit(clicks?.links[1] ?? "");
  await visit(both?.pixel ?? "");
  const answer = await visit(both?.links[1] ?? "");
  expect(answer.headers.get("location")).toBe("https://shop.example/b?x=1&y=2");
  await visit(both?.links[1] ?? "");
  await visit(machine?.pixel ?? "", "Mozilla/5.0");
  const { stats } = await getCampaign(ctx, id);
  expect(stats).toMatchObject({
    ...{ recipients: 4, pending: 0, sent: 4, delivered: 4, opened: 2, clicked: 2 },
    ...{ openRate: 0.5, clickRate: 0.5, machineOpens: 1, machineClicks: 0 },
    links: [
      { url: "https://shop.example/b?x=1&y=2", clicks: 3, uniqueClicks: 2 },
      { url: "https://shop.example/a", clicks: 0, uniqueClicks: 0 },
    ],
  });
});
