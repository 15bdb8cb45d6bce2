import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { listAuditEntries } from "@/lib/domain/audit/read";
import { addNote, listNotes } from "@/lib/domain/contact-story/notes";
import { timelineQuery } from "@/lib/domain/contact-story/schema";
import { listTimeline } from "@/lib/domain/contact-story/timeline";
import { undoChange } from "@/lib/domain/contact-story/undo";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { getContact, updateContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import { getEngagement } from "@/lib/domain/engagement/read";
import { exportContact } from "@/lib/domain/person-data/export";
import { addSuppression, getSuppression } from "@/lib/domain/suppressions/suppressions";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { campaignTo, keptAddress, makeTwins, otherAddress } from "@/lib/testing/merges";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { readZip } from "@/lib/testing/zip";
import { findMergedInto } from "./find";
import { mergeContacts } from "./merge";
import { previewMerge } from "./preview";
import { mostMerged } from "./sides";

const database = useTestDatabase();
const page = { limit: 100 };
const timelineOf = async (ctx: Context, id: string, kinds?: string) =>
  (await listTimeline(ctx, id, timelineQuery.parse({ limit: 100, ...(kinds && { kinds }) }))).data;

describe("merging two contacts", () => {
  test("leaves one with what both had, and says so on the timeline, in the audit log and to webhooks", async () => {
    const { ctx, projectId, kept, other } = await makeTwins(database.db, {
      kept: { firstName: "Ada", tags: ["a"], data: { plan: "free" } },
      other: { lastName: "King", tags: ["b"], data: { plan: "pro", age: 36 } },
    });
    const [weekly, news] = [await makeList(ctx, { name: "Weekly" }), await makeList(ctx)];
    await join(ctx, weekly.id, keptAddress);
    await join(ctx, weekly.id, otherAddress);
    const member = await join(ctx, news.id, otherAddress);
    await addNote(ctx, kept.id, { text: "Calls." });
    await addNote(ctx, other.id, { text: "Letters." });
    await updateContact(ctx, other.id, { data: { age: 37 } });
    await campaignMail(database.db, ctx, { contactId: other.id, email: otherAddress });
    await campaignMail(database.db, ctx, { contactId: kept.id, email: keptAddress });

    const input = { other: other.id, fields: { data: { plan: "other" } } } as const;
    const { result } = await previewMerge(ctx, kept.id, input);
    const merged = await mergeContacts(ctx, kept.id, input);
    const expected = {
      ...{ email: keptAddress, firstName: "Ada", lastName: "King", tags: ["a", "b"] },
      ...{ data: { plan: "pro", age: 37 }, state: "reachable" },
    };
    expect(merged).toMatchObject({ id: kept.id, ...expected });
    expect(result).toMatchObject(expected);
    expect(result.lists.map(({ name }) => name)).toEqual(["News", "Weekly"]);
    await expect(getContact(ctx, other.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await findMergedInto(ctx, other.id)).toBe(kept.id);
    expect(await findMergedInto(ctx, kept.id)).toBeNull();
    expect(await findMergedInto((await makeProject(database.db)).ctx, other.id)).toBeNull();
    expect(await getSubscriber(ctx, member.id)).toMatchObject({
      ...{ contactId: kept.id, status: "subscribed" },
    });
    expect((await listNotes(ctx, kept.id, page)).data.map(({ text }) => text)).toEqual([
      ...["Letters.", "Calls."],
    ]);
    expect(await getEngagement(ctx, kept.id)).toMatchObject({ sent: 2 });
    expect(await timelineOf(ctx, kept.id, "emails")).toHaveLength(2);
    // Added, and on each list: of both.
    expect((await listSubscriptionChanges(ctx, kept.id, page)).data.length).toBe(6);

    const [entry] = (await timelineOf(ctx, kept.id)).filter(({ type }) => type === "merged");
    expect(entry?.merged).toMatchObject({
      contact: { id: other.id, email: otherAddress },
      by: { type: "user", name: expect.stringContaining("@") as string },
    });
    // What changed the other one can no longer be taken back.
    const changes = (await timelineOf(ctx, kept.id, "changes")).flatMap(
      ({ change }) => change ?? [],
    );
    const theirs = changes.find(({ before }) => before.data?.["age"] === 36);
    expect(theirs).toMatchObject({ undoable: false });
    await expect(undoChange(ctx, kept.id, theirs?.id ?? "")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const { data: acts } = await listAuditEntries(ctx, { limit: 5 });
    expect(acts.find(({ action }) => action === "merge.contact")).toMatchObject({
      ...{ target: { id: kept.id }, details: { other: other.id } },
    });
    const events = await database.db.execute<{ event: string; data: Record<string, unknown> }>(sql`
      select event, data from project_events where project_id = ${projectId} order by id desc limit 2`);
    expect([...events].map(({ event }) => event).sort()).toEqual([
      ...["contact.deleted", "contact.updated"],
    ]);
    const toldOf = (name: string) => events.find(({ event }) => event === name)?.data;
    expect(toldOf("contact.deleted")).toEqual({ id: other.id, mergedInto: kept.id });
    expect(JSON.stringify(toldOf("contact.updated"))).toContain(other.id);
  });

  test("can keep the other's address, and brings the former one back unsubscribed", async () => {
    const { ctx, kept, other } = await makeTwins(database.db);
    const merged = await mergeContacts(ctx, keptAddress, {
      ...{ other: otherAddress, fields: { email: "other" } },
    });
    expect(merged).toMatchObject({ id: kept.id, email: otherAddress, state: "reachable" });
    expect(other.id).not.toBe(kept.id);
    // As an import adds people.
    await upsertContacts(ctx, [{ email: keptAddress, subscribed: true, resubscribe: false }]);
    expect(await getContact(ctx, keptAddress)).toMatchObject({ state: "unsubscribed" });
  });

  test("is refused with itself, with strangers and to viewers, and changes nothing when repeated", async () => {
    const { ctx, projectId, kept, other } = await makeTwins(database.db);
    const stranger = await makeTwins(database.db);
    for (const itself of [kept.id, keptAddress.toUpperCase()]) {
      await expect(mergeContacts(ctx, kept.id, { other: itself })).rejects.toMatchObject({
        ...{ code: "VALIDATION_ERROR", details: [{ path: "other" }] },
      });
    }
    const notFound = { code: "NOT_FOUND" };
    for (const run of [mergeContacts, previewMerge]) {
      await expect(run(ctx, kept.id, { other: stranger.other.id })).rejects.toMatchObject(notFound);
      await expect(run(ctx, stranger.kept.id, { other: other.id })).rejects.toMatchObject(notFound);
      await expect(run(ctx, kept.id, { other: "no@example.net" })).rejects.toMatchObject(notFound);
      const viewer = { ...ctx, role: "viewer" as const };
      await expect(run(viewer, kept.id, { other: other.id })).rejects.toMatchObject({
        code: "NOT_ALLOWED",
      });
    }
    const first = await mergeContacts(ctx, kept.id, { other: other.id });
    for (const again of [other.id, otherAddress]) {
      expect(await mergeContacts(ctx, kept.id, { other: again })).toEqual(first);
      await expect(previewMerge(ctx, kept.id, { other: again })).rejects.toMatchObject({
        code: "CONFLICT",
      });
    }
    const [row] = await database.db.execute(sql`
      select count(*)::int as merges from audit_log
      where project_id = ${projectId} and action = 'merge.contact'`);
    expect(row).toEqual({ merges: 1 });
  });

  test("of both into each other, of chains and many times at once ends, and loses nobody's mail", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    for (let round = 0; round < 6; round++) {
      const names = ["a", "b", "c", "d"].map((name) => `${name}${round}@example.com`);
      const [a = "", b = "", c = "", d = ""] = await Promise.all(
        names.map(async (email) => (await upsertContact(ctx, { email })).contact.id),
      );
      for (const [index, contactId] of [a, b, c, d].entries()) {
        await campaignMail(database.db, ctx, { contactId, email: names[index] ?? "" });
      }
      const pairs: [string, string][] = [
        [a, b],
        [b, a],
        [b, c],
        [c, a],
        [d, c],
        [c, d],
        [a, b],
      ];
      const done = await Promise.allSettled(
        pairs.map(([kept, other]) => mergeContacts(ctx, kept, { other })),
      );
      for (const one of done) {
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "NOT_FOUND" });
      }
      expect(done.some(({ status }) => status === "fulfilled")).toBe(true);
    }
    // Each email is somebody's who is there, and no two of them know of the same former contact.
    const [row] = await database.db.execute(sql`
      select (select count(*)::int from emails where project_id = ${projectId}) as emails,
        (select count(*)::int from emails e join contacts c on c.id = coalesce(
          (select kept_id from merged_contacts where contact_id = e.contact_id), e.contact_id)
          where e.project_id = ${projectId}) as owned,
        (select count(*)::int from contacts where project_id = ${projectId})
          + (select count(*)::int from merged_contacts where project_id = ${projectId}) as people`);
    expect(row).toEqual({ emails: 24, owned: 24, people: 24 });
  });
});

describe("a merged contact", () => {
  test("is exported with everything of both", async () => {
    const { ctx, kept, other } = await makeTwins(database.db);
    await updateContact(ctx, other.id, { firstName: "Augusta" });
    const both = [kept, other].map((twin) => ({ twin, status: "SENT" as const }));
    await campaignTo(database.db, ctx, both);
    await mergeContacts(ctx, kept.id, { other: other.id });
    const zip = await new Response(await exportContact(ctx, kept.id)).arrayBuffer();
    const files = readZip(Buffer.from(zip));
    const json = (name: string) => JSON.parse(files.get(`${name}.json`) ?? "") as unknown[];
    expect(json("contact")).toMatchObject({ formerAddresses: [otherAddress] });
    expect(json("emails")).toHaveLength(2);
    expect(files.get("emails.json")).toContain(otherAddress);
    expect(files.get("changes.json")).toContain("Augusta");
    expect(json("consent")).toHaveLength(2);
  });

  test("is deleted without what belongs to somebody who has its former address now", async () => {
    const { ctx, kept, other } = await makeTwins(database.db);
    await mergeContacts(ctx, kept.id, { other: other.id });
    const { contact } = await upsertContact(ctx, { email: otherAddress, subscribed: true });
    await addSuppression(ctx, { email: otherAddress });
    await deleteContact(ctx, kept.id);
    expect(await getSuppression(ctx, otherAddress)).toMatchObject({ reason: "manual" });
    expect(await getContact(ctx, contact.id)).toMatchObject({ email: otherAddress });
  });

  test("is deleted with all of both, and neither address is left anywhere", async () => {
    const { ctx, projectId, kept, other } = await makeTwins(database.db);
    await updateContact(ctx, other.id, { data: { alias: otherAddress } });
    await addNote(ctx, other.id, { text: otherAddress });
    const both = [kept, other].map((twin) => ({ twin, status: "SENT" as const }));
    await campaignTo(database.db, ctx, both);
    await mergeContacts(ctx, kept.id, { other: other.id });
    await deleteContact(ctx, kept.id);
    const tables = await database.db.execute<{ name: string }>(sql`
      select c.table_name::text as name from information_schema.columns c join information_schema.tables t
        using (table_schema, table_name)
      where table_schema = 'public' and column_name = 'project_id' and table_type = 'BASE TABLE'`);
    expect(tables.length).toBeGreaterThan(30);
    const left: string[] = [];
    for (const { name } of tables) {
      const [row] = await database.db.execute<{ holds: boolean }>(sql`
        select exists (select from ${sql.identifier(name)} t
          where t.project_id = ${projectId} and to_jsonb(t)::text like '%ada@example.%') as holds`);
      if (row?.holds) left.push(name);
    }
    expect(left).toEqual([]);
    const [row] = await database.db.execute(sql`
      select (select count(*)::int from forgotten_addresses where project_id = ${projectId}) as remembered,
        (select count(*)::int from emails where project_id = ${projectId} and contact_id is null) as emails,
        (select count(*)::int from consent_changes where project_id = ${projectId}) as consent`);
    expect(row).toEqual({ remembered: 2, emails: 2, consent: 0 });
  });
});

test("no more contacts are merged into one than its page can tell of", async () => {
  const { ctx, projectId, kept, other } = await makeTwins(database.db);
  await database.db.execute(sql`
    insert into merged_contacts (project_id, contact_id, kept_id, email, former_email, origin)
    select ${projectId}, new_id(), ${decodeId("contact", kept.id)}, 'former' || n || '@example.com',
      'former' || n || '@example.com', 'user' from generate_series(1, ${mostMerged}) n`);
  for (const one of [previewMerge, mergeContacts]) {
    await expect(one(ctx, kept.id, { other: other.id })).rejects.toMatchObject({
      ...{ code: "VALIDATION_ERROR", details: [{ path: "other" }] },
    });
    // Nor the other way round.
    await expect(one(ctx, other.id, { other: kept.id })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  }
  const started = performance.now();
  expect(await timelineOf(ctx, kept.id)).not.toEqual([]);
  expect(performance.now() - started).toBeLessThan(3_000);
});
