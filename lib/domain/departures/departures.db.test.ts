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
import { foldDepartures, projectsToFold } from "./fold";

const database = useTestDatabase();

/** Adds all there is to add, a few days at a time. */
async function fold(): Promise<void> {
  for (const projectId of await projectsToFold(database.db)) {
    let hasMore = true;
    while (hasMore) {
      hasMore = await database.db.transaction((tx) => foldDepartures(tx, projectId, 7));
    }
  }
}

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

test("days that are over are added to the totals once, and every range reads the same as before", async () => {
  const { ctx } = await makeProject(database.db);
  const { projectId } = ctx;
  const [first, second] = [await makeList(ctx), await makeList(ctx)].map(({ id }) =>
    decodeId("list", id),
  );
  const form = newId(projectId);
  await database.db.execute(sql`
    insert into departure_figures (project_id, day, scope, campaign_id, list_id, origin, reason, slot, people)
    select ${projectId}, date_trunc('day', app_now(), 'UTC') - n * interval '24 hours',
      (array['everything', 'list'])[1 + n % 2], new_id(), (array[${first}, ${second}]::uuid[])[1 + n % 3 / 2],
      (array['link', 'oneClick', 'complaint'])[1 + n % 3], (array['', 'too_often'])[1 + n % 4 / 2], n % 16, 1 + n % 5
    from generate_series(0, 140) n where n <> 60`);
  await database.db.execute(sql`
    insert into form_departures (project_id, day, form_id, slot, people)
    select project_id, day, ${form}, slot, people from departure_figures where project_id = ${projectId}`);
  const dayBefore = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const ranges = [
    {},
    ...[0, 1, 20, 45, 90, 200].flatMap((from) => [
      { startDate: dayBefore(from) },
      { endDate: dayBefore(from) },
      ...[0, 3, 33, 100].map((to) => ({ startDate: dayBefore(from), endDate: dayBefore(to) })),
    ]),
    { startDate: `${dayBefore(70)}T12:00:00Z`, endDate: `${dayBefore(5)}T00:00:00Z` },
  ];
  const read = async () => {
    const all = [];
    for (const range of ranges) all.push(await getDepartures(ctx, range));
    return all;
  };
  const before = await read();
  expect(before[0]).toMatchObject({ people: 420, forms: [{ people: 420 }] });
  await Promise.all([fold(), fold(), fold()]);
  expect(await read()).toEqual(before);
  expect(await projectsToFold(database.db)).toEqual([]);
  // People go on leaving, today and until the next day is over.
  const member = await join(ctx, encodeId("list", first ?? ""), "ada@example.com");
  const mail = await campaignMail(database.db, ctx, { ...member });
  await unsubscribeByToken(database.db, mail.token);
  const today = await getDepartures(ctx, {});
  expect(today.people).toBe(421);
  await database.travel("26 hours");
  await fold();
  expect(await getDepartures(ctx, {})).toEqual(today);
});

test("old departures are added some days at a time, and a second clean-up neither waits nor fails", async () => {
  const { ctx } = await makeProject(database.db);
  const { projectId } = ctx;
  await database.db.execute(sql`
    insert into departure_figures (project_id, day, scope, origin, slot, people)
    select ${projectId}, date_trunc('day', app_now() - interval '1 hour', 'UTC') - n * interval '24 hours', 'everything', 'link', slot, 1
    from generate_series(1, 30) n, generate_series(0, 3) slot`);
  const step = () => database.db.transaction((tx) => foldDepartures(tx, projectId, 10));
  const added = async () => {
    const [row] = await database.db.execute<{ people: number; days: number }>(sql`
      select coalesce(sum(people), 0)::int as people, count(*)::int as days from departure_totals
      where project_id = ${projectId} and by = 'day'`);
    return row;
  };
  expect(await projectsToFold(database.db)).toContain(projectId);
  await database.db.transaction(async (tx) => {
    expect(await foldDepartures(tx, projectId, 10)).toBe(true);
    // The other has it: this one goes on to the next project.
    expect(await step()).toBe(false);
  });
  expect(await added()).toEqual({ people: 12, days: 3 });
  expect((await getDepartures(ctx, {})).people).toBe(120);
  while (await step());
  expect(await added()).toEqual({ people: 120, days: 30 });
  expect((await getDepartures(ctx, {})).people).toBe(120);
});
