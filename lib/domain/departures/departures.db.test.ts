import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { changePreferences, unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { encodeId } from "@/lib/ground/ids/ids";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { makeProject } from "@/lib/testing";
import { getDepartures } from "./departures";

const database = useTestDatabase();

test("who left, why and by which mail is counted once each, of one project, within the days asked for", async () => {
  const { ctx } = await makeProject(database.db);
  const { ctx: stranger } = await makeProject(database.db);
  const list = await makeList(ctx, { name: "Weekly" });
  const mails = await Promise.all(
    ["ada", "bob", "cyd"].map(async (name) => {
      const member = await join(ctx, list.id, `${name}@example.com`);
      return campaignMail(database.db, ctx, { ...member, listId: list.id });
    }),
  );
  const [ada, bob, cyd] = mails.map(({ token }) => token);
  // Twenty clients with the same link are one person.
  await Promise.all(
    Array.from({ length: 20 }, async () => unsubscribeByToken(database.db, ada ?? "")),
  );
  const everything = { action: "leave-all", reason: "too_often" } as const;
  await changePreferences(database.db, bob ?? "", everything);
  await changePreferences(database.db, cyd ?? "", { action: "leave-all" });
  await upsertContact(ctx, { email: "dee@example.com", unsubscribed: true });

  const figures = await getDepartures(ctx, {});
  expect(figures).toMatchObject({
    people: 3,
    scopes: [
      { scope: "everything", people: 2 },
      { scope: "list", people: 1 },
    ],
    reasons: expect.arrayContaining([
      { reason: "too_often", people: 1 },
      { reason: null, people: 1 },
    ]) as unknown,
    lists: [{ id: list.id, name: "Weekly", people: 3 }],
    topics: [],
  });
  expect(new Set(figures.campaigns.map(({ id }) => id))).toEqual(
    new Set(mails.map(({ campaignId }) => encodeId("campaign", campaignId))),
  );
  expect((await getDepartures(stranger, {})).people).toBe(0);
  expect((await getDepartures(ctx, { endDate: "2020-01-01" })).people).toBe(0);
});
