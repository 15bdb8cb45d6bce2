import { and, eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Role } from "@/db/enums";
import { contacts, memberships, projects, teamLetters } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getTeamLetterChoices, updateTeamLetterChoices } from "@/lib/domain/team-letters/choices";
import { noteTeamLetter } from "@/lib/domain/team-letters/note";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { Context } from "@/lib/ground/context";
import { addFigureDeltas } from "@/lib/testing/figures";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { useMailServers } from "@/lib/testing/mail-servers";
import { lettersTo } from "@/lib/testing/team-letters";
import { travelTo } from "@/lib/testing/travel-to";
import { until } from "@/lib/testing/until";
import { sendTeamLetters } from "./send";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

const send = () => sendTeamLetters(database.db, new AbortController().signal);
const notedFor = ({ projectId }: Context) =>
  database.db.select().from(teamLetters).where(eq(teamLetters.projectId, projectId));
const readerOf = ({ actor }: Context) => (actor.type === "user" ? actor.id : "");

async function member({ projectId }: Context, role: Role): Promise<Context> {
  const email = `${newId(projectId)}@example.com`;
  const { id } = await findOrCreateUser(database.db, { email, name: "Grace" });
  await database.db.insert(memberships).values({ projectId, userId: id, role });
  const { ctx } = await makeProject(database.db);
  return { ...ctx, projectId, role, actor: { type: "user", id } };
}

describe("who is told of what", () => {
  it("is up to each member: owners are told what has stopped, and everybody what they ask for", async () => {
    const { ctx: owner } = await makeProject(database.db);
    const editor = await member(owner, "editor");
    expect(await getTeamLetterChoices(owner)).toEqual({
      ...{ campaignStopped: true, domainFailed: true, sendingHeld: true, webhookDisabled: true },
      ...{ mailReplaced: true, workFailed: true, campaignSent: false, weeklySummary: false },
    });
    expect(Object.values(await getTeamLetterChoices(editor))).toEqual(Array(8).fill(false));
    expect(await updateTeamLetterChoices(editor, { campaignSent: true })).toMatchObject({
      campaignSent: true,
      weeklySummary: false,
    });
    expect(await updateTeamLetterChoices(owner, { domainFailed: false })).toMatchObject({
      domainFailed: false,
      campaignSent: false,
      sendingHeld: true,
    });
    // One choice does not undo another, nor that of somebody else.
    await updateTeamLetterChoices(editor, { weeklySummary: true });
    expect(await getTeamLetterChoices(editor)).toMatchObject({ campaignSent: true });
    expect(await getTeamLetterChoices(owner)).toMatchObject({ campaignSent: false });
  });

  it("nothing to keys, and nothing is written down where nobody wants to know", async () => {
    const { ctx } = await makeProject(database.db);
    const key: Context = { ...ctx, actor: { type: "apiKey", id: newId(ctx.projectId) } };
    for (const ask of [getTeamLetterChoices(key), updateTeamLetterChoices(key, {})]) {
      await expect(ask).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    }
    await database.db.transaction((tx) =>
      noteTeamLetter(tx, ctx.projectId, "campaignSent", { name: "News" }),
    );
    expect(await notedFor(ctx)).toEqual([]);
  });
});

describe("a campaign", () => {
  it("that has been sent is told once to those who asked, with its figures, in the project's language", async () => {
    const { ctx, domain } = await sender();
    const editor = await member(ctx, "editor");
    await updateTeamLetterChoices(editor, { campaignSent: true });
    await database.db
      .update(projects)
      .set({ language: "de" })
      .where(eq(projects.id, ctx.projectId));
    await seedContacts(database.db, ctx.projectId, 3);
    const id = await makeCampaign(database.db, {
      projectId: ctx.projectId,
      fromEmail: `news@${domain}`,
    });
    const server = await mailServer();
    await advance(database.db);
    await send();
    expect(await lettersTo(database.db, readerOf(editor))).toEqual([]);
    await dispatch(server.url);
    await database.db.execute(sql`update campaigns set due_at = app_now() where id = ${id}`);
    await advance(database.db);
    expect((await storedCampaign(database.db, id)).status).toBe("SENT");
    await Promise.all([send(), send()]);
    const letters = await lettersTo(database.db, readerOf(editor));
    expect(letters).toHaveLength(1);
    expect(letters[0]).toContain("3 Personen");
    expect(letters[0]).toContain("3 E-Mails wurden");
    expect(letters[0]).toContain(encodeId("campaign", id));
    expect(await lettersTo(database.db, readerOf(ctx))).toEqual([]);
    expect(await notedFor(ctx)).toMatchObject([{ kind: "campaignSent", dueAt: null, attempts: 1 }]);
  });

  it("that fails tells owners why", async () => {
    const { ctx } = await makeProject(database.db);
    await seedContacts(database.db, ctx.projectId, 1);
    const id = await makeCampaign(database.db, {
      projectId: ctx.projectId,
      fromEmail: "news@unverified.example",
    });
    await advance(database.db);
    expect((await storedCampaign(database.db, id)).status).toBe("FAILED");
    await send();
    const [letter] = await lettersTo(database.db, readerOf(ctx));
    expect(letter).toContain("has stopped");
    expect(letter).toContain("not verified");
  });
});

it("waits while the mail server is away, and is given up after an hour of tries", async () => {
  const { ctx } = await makeProject(database.db);
  const note = () =>
    database.db.transaction((tx) =>
      noteTeamLetter(tx, ctx.projectId, "domainFailed", {
        subjectId: newId(ctx.projectId),
        name: "example.com",
      }),
    );
  await note();
  process.env["MAIL_TRANSPORT"] = "smtp://127.0.0.1:9";
  reloadEnv();
  try {
    await send();
    expect(await notedFor(ctx)).toMatchObject([{ attempts: 1, dueAt: expect.any(Date) as Date }]);
    // A try that is under way is nobody else's.
    expect(await send()).toBe(0);
    await database.db.update(teamLetters).set({ attempts: 11, dueAt: new Date(0) });
    await send();
    expect(await notedFor(ctx)).toMatchObject([{ attempts: 12, dueAt: null }]);
    await note();
    await send();
  } finally {
    delete process.env["MAIL_TRANSPORT"];
    reloadEnv();
  }
  await database.db.execute(
    sql`update team_letters set due_at = app_now() where due_at is not null`,
  );
  await send();
  const letters = await lettersTo(database.db, readerOf(ctx));
  expect(letters).toHaveLength(1);
  expect(letters[0]).toContain("example.com is not verified");
});

it("leaves once when the mail server is so slow that the next worker comes before the last letter has left", async () => {
  const { ctx } = await makeProject(database.db);
  const names = ["one.example", "two.example", "three.example"];
  for (const name of names) {
    await database.db.transaction((tx) =>
      noteTeamLetter(tx, ctx.projectId, "domainFailed", { subjectId: newId(ctx.projectId), name }),
    );
    await database.travel("1 second");
  }
  const slow: { answer: (() => void) | null } = { answer: null };
  const got: string[] = [];
  const server = await mailServer({
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "");
        got.push(names.find((name) => text.includes(name)) ?? "");
        if (got.length === 1) slow.answer = () => callback();
        else callback();
      });
    },
  });
  process.env["MAIL_TRANSPORT"] = server.url;
  reloadEnv();
  try {
    const first = send();
    await until(() => slow.answer !== null);
    await database.travel("6 minutes");
    await send();
    slow.answer?.();
    await first;
  } finally {
    delete process.env["MAIL_TRANSPORT"];
    reloadEnv();
  }
  // Of the one under way for so long, nobody could know whether it has left.
  expect(got.toSorted()).toEqual(["one.example", ...names].toSorted());
});

describe("the summary of a week", () => {
  it("is written on Monday to those who asked, once, with the week before beside it; never of nothing", async () => {
    const { ctx } = await makeProject(database.db);
    const { ctx: quiet } = await makeProject(database.db);
    const { ctx: uninterested } = await makeProject(database.db);
    for (const reader of [ctx, quiet]) {
      await updateTeamLetterChoices(reader, { weeklySummary: true });
    }
    const monday = sql`date_trunc('week', app_now(), 'UTC') + interval '7 days'`;
    const ofWeek = async (daysAgo: number, sent: number) => {
      const campaignId = newId(ctx.projectId);
      await addFigureDeltas(database.db, [{ projectId: ctx.projectId, campaignId, sent }]);
      await database.db.execute(sql`
        update hourly_figures set hour = ${monday} - make_interval(days => ${daysAgo})
        where campaign_id = ${campaignId}`);
    };
    await ofWeek(1, 1_234);
    await ofWeek(10, 56);
    // This week, and three weeks ago.
    await ofWeek(0, 7_000);
    await ofWeek(15, 8_000);
    await seedContacts(database.db, ctx.projectId, 2);
    await database.db
      .update(contacts)
      .set({ createdAt: sql`${monday} - interval '1 second'` })
      .where(and(eq(contacts.projectId, ctx.projectId)));

    await travelTo(database, sql`${monday} + interval '6 hours 59 minutes'`);
    await send();
    expect(await notedFor(ctx)).toEqual([]);
    await travelTo(
      database,
      sql`date_trunc('day', app_now(), 'UTC') + interval '7 hours 1 minute'`,
    );
    await Promise.all([send(), send()]);
    await send();
    const letters = await lettersTo(database.db, readerOf(ctx));
    expect(letters).toHaveLength(1);
    expect(letters[0]).toContain("Emails sent: 1,234 (56)");
    expect(letters[0]).toContain("New contacts: 2 (0)");
    expect(letters[0]).toContain("Unsubscribed: 0 (0)");
    expect(await lettersTo(database.db, readerOf(quiet))).toEqual([]);
    expect(await notedFor(uninterested)).toEqual([]);
    await travelTo(database, sql`app_now() + interval '1 day'`);
    await database.db.delete(teamLetters);
    await send();
    expect(await notedFor(ctx)).toEqual([]);
  });
});
