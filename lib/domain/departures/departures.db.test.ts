import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { createForm } from "@/lib/domain/forms/forms";
import { formInput } from "@/lib/domain/forms/schema";
import { changePreferences, unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
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

test("a mail program that reports spam and unsubscribes at once is one person leaving", async () => {
  const { ctx } = await makeProject(database.db);
  const list = await makeList(ctx, { name: "Weekly" });
  const mailTo = async (name: string) => {
    const member = await join(ctx, list.id, `${name}@example.com`);
    return campaignMail(database.db, ctx, { ...member, listId: list.id });
  };
  const complain = (emailId: string) =>
    recordReport(ctx, encodeId("email", emailId), { kind: "complained", type: "abuse" });
  const [ada, bob] = [await mailTo("ada"), await mailTo("bob")];
  // Whichever comes first: the complaint of the second finds nothing that was left.
  await unsubscribeByToken(database.db, ada.token);
  await complain(ada.emailId);
  await complain(bob.emailId);
  await unsubscribeByToken(database.db, bob.token);
  expect(await getDepartures(ctx, {})).toMatchObject({
    people: 2,
    through: expect.arrayContaining([
      { type: "oneClick", people: 1 },
      { type: "complaint", people: 1 },
    ]) as unknown,
    lists: [{ name: "Weekly", people: 2 }],
  });
  // Two mails, two departures: a list by one, everything by the other.
  const dee = await mailTo("dee");
  const other = await campaignMail(database.db, ctx, {
    ...(await join(ctx, (await makeList(ctx)).id, "dee@example.com")),
  });
  await unsubscribeByToken(database.db, dee.token);
  await complain(other.emailId);
  expect((await getDepartures(ctx, {})).people).toBe(4);
});

test("the form by which those who left had come is told, of the list they left", async () => {
  const { ctx } = await makeProject(database.db);
  const [first, second] = [await makeList(ctx), await makeList(ctx)];
  const forms = await Promise.all(
    [first, second].map(({ id }) =>
      createForm(ctx, formInput.parse({ name: `To ${id}`, listId: id })),
    ),
  );
  const leaves = async (name: string, lists: readonly { id: string }[]) => {
    for (const list of lists) {
      const member = await join(ctx, list.id, `${name}@example.com`);
      const form = forms.find(({ listId }) => listId === list.id);
      await database.db.execute(sql`
        insert into consent_changes (id, project_id, contact_id, list_id, before, after, origin, form_id)
        values (${newId(ctx.projectId)}, ${ctx.projectId}, ${decodeId("contact", member.contactId)},
          ${decodeId("list", list.id)}, null, 'subscribed', 'link', ${decodeId("form", form?.id ?? "")})`);
      if (list !== lists.at(-1)) continue;
      const mail = await campaignMail(database.db, ctx, { ...member, listId: lists[0]?.id ?? "" });
      await unsubscribeByToken(database.db, mail.token);
    }
  };
  await leaves("ada", [first, second]);
  await leaves("bob", [first]);
  await leaves("cyd", [second]);
  const { forms: left } = await getDepartures(ctx, {});
  expect(left).toEqual([
    { id: forms[0]?.id, name: forms[0]?.name, people: 2 },
    { id: forms[1]?.id, name: forms[1]?.name, people: 1 },
  ]);
});
