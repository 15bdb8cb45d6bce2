import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { receivingDomains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { getCampaignBreakdown } from "./breakdown";
import { createCampaign } from "./campaigns";

const database = useTestDatabase();

/** A campaign of the project to these addresses; those in `opened` have opened it. */
async function sentTo(ctx: Context, recipients: string[], opened: string[] = []): Promise<string> {
  const { id } = await createCampaign(ctx, { name: "News", incomplete: true });
  await database.db.execute(sql`
    insert into emails (id, project_id, message_id, campaign_id, contact_id, recipient, source, status,
      sent_at, opened_at)
    select gen_random_uuid(), ${ctx.projectId}, ${newId(ctx.projectId)}, ${decodeId("campaign", id)},
      gen_random_uuid(), address, 'CAMPAIGN', 'SENT', app_now(),
      case when address = any(${sql.param(opened)}::text[]) then app_now() end
    from unnest(${sql.param(recipients)}::text[]) address`);
  return id;
}

test("company domains count with the provider whose servers take their mail", async () => {
  const { ctx } = await makeProject(database.db);
  await database.db.insert(receivingDomains).values([
    { name: "firm.example", receiver: "google.com" },
    { name: "bakery.example", receiver: "outlook.com" },
    { name: "school.example", receiver: "mx.microsoft" },
    { name: "shop.example", receiver: "host.example" },
    { name: "café.example", receiver: "host.example" },
  ]);
  const id = await sentTo(
    ctx,
    [
      ...["ada@gmail.com", "grace@FIRM.example", "alan@firm.example", "barbara@googlemail.com"],
      ...["ken@bakery.example", "edith@school.example", "zoë@hotmail.com"],
      ...["linus@shop.example", '"a@b"@café.example', "mary@own.example"],
    ],
    ["alan@firm.example", "ken@bakery.example"],
  );
  const { providers } = await getCampaignBreakdown(ctx, id);
  expect(providers.map(({ name, recipients, opened }) => [name, recipients, opened])).toEqual([
    ["Google", 4, 1],
    ["Microsoft", 3, 1],
    ["host.example", 2, 0],
    ["own.example", 1, 0],
  ]);
});

test("nobody is left out, however many receivers there are", async () => {
  const { ctx } = await makeProject(database.db);
  const id = await sentTo(ctx, [
    ...Array.from({ length: 2_500 }, (_, n) => `ada@firm${n}.example`),
    ...Array.from({ length: 3 }, (_, n) => `person${n}@gmail.com`),
  ]);
  const { providers } = await getCampaignBreakdown(ctx, id);
  expect(providers).toHaveLength(13);
  expect(providers[0]).toMatchObject({ name: "Google", recipients: 3 });
  expect(providers.at(-1)).toMatchObject({ name: "All others", recipients: 2_489 });
});

test("what a provider holds against the sender is judged where enough was sent to tell", async () => {
  const { ctx } = await makeProject(database.db);
  const at = (name: string, people: number) =>
    Array.from({ length: people }, (_, n) => `person${n}@${name}`);
  const id = await sentTo(ctx, [...at("gmail.com", 300), ...at("yahoo.com", 20)]);
  await database.db.execute(sql`
    update emails set status = 'COMPLAINED', complained_at = app_now(), delivered_at = app_now()
    where project_id = ${ctx.projectId} and recipient = any(array['person1@gmail.com',
      'person2@gmail.com', 'person3@gmail.com', 'person1@yahoo.com'])`);
  await database.db.execute(sql`
    update emails set status = 'BOUNCED', bounced_at = app_now(), sent_at = null
    where project_id = ${ctx.projectId} and recipient ~ '^person1[0-9]@'`);
  const breakdown = await getCampaignBreakdown(ctx, id);
  expect(breakdown).toMatchObject({
    deliveryConfirmed: false,
    providers: [
      {
        ...{ name: "Google", sent: 300, bounced: 10, complained: 3 },
        ...{ bounceRate: 0.0333, complaintRate: 0.0103 },
        health: { bounces: "healthy", complaints: "tooHigh" },
      },
      {
        ...{ name: "Yahoo", sent: 20, bounced: 10, complained: 1 },
        ...{ bounceRate: 0.5, complaintRate: 0.1, health: { bounces: null, complaints: null } },
      },
    ],
  });
});
