import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createTrackingApp } from "@/lib/doors/http/public/app";
import { findProjectsAway } from "@/lib/doors/http/sign-in/dashboard-session";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import { startInbound } from "@/lib/doors/smtp/inbound/inbound-server";
import type { Listening } from "@/lib/doors/smtp/server";
import { runJob } from "@/lib/engine/jobs/jobs";
import { coalesceFor } from "@/lib/ground/coalesce";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { returnPathOf } from "@/lib/mail/return-path";
import { linkIdOf } from "@/lib/mail/tracking/link-registry";
import { linkToken, pixelToken, recipientToken } from "@/lib/mail/tracking/tokens";
import { makeProject, type TestProject } from "@/lib/testing";
import { bearerClient, mail } from "@/lib/testing/bearer";
import { advance, makeCampaign, storedCampaign } from "@/lib/testing/campaigns";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { platformClient, platformToken } from "@/lib/testing/platform";
import { useRelay } from "@/lib/testing/relay";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { until } from "@/lib/testing/until";
import { makeWebhook, startEndpoint } from "@/lib/testing/webhooks";
import { cancelMove } from "./leave";
import { makeSender, there, useMoveEnds, type Sender } from "./testing/moves";

/* What every door answers while a project is closed and once it has moved, and what goes on for all others. */

const ends = useMoveEnds();
const { source, move } = ends;
const relay = useRelay(source);
const hostname = "mail.sender.example";
let inbound: Listening;

beforeAll(async () => {
  inbound = await startInbound({
    db: source.db,
    host: "127.0.0.1",
    port: 0,
    hostname,
    certificate: await relayCertificate(source.db),
  });
});
afterAll(() => inbound.close());

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Breaks a move off once all is copied. */
const atDrain = (step: string) => {
  if (step === "drain") throw new Error("broken off");
};

const setState = (projectId: string, state: string) =>
  source.db.execute(sql`
    update project_moves set state = ${state}, url = ${there} where project_id = ${projectId}`);

/** Waits until the doors have learned of it. */
const learned = (apiKey: string, words: string) =>
  until(async () => (await bearerClient(apiKey)("GET", "/v1/contacts")).text.includes(words), {
    what: words,
    seconds: 30,
  });

/** An email with a link, of a project that has begun to move. */
async function leaving(project: TestProject) {
  const [emailId = ""] = await send(project.ctx, { from: "hello@sandbox.test" });
  const [email] = await source.db.execute<{ message_id: string }>(sql`
    select message_id from emails where id = ${emailId}`);
  const messageId = email?.message_id ?? "";
  const url = "https://shop.example/tea";
  const linkId = linkIdOf(messageId, url);
  await source.db.execute(sql`
    insert into links (id, project_id, message_id, url)
    values (${linkId.toString()}::bigint, ${project.projectId}, ${messageId}, ${url})`);
  await expect(move(project.projectId, atDrain)).rejects.toThrow("broken off");
  const token = recipientToken(emailId);
  return {
    emailId,
    links: [
      ["GET", `/t/c/${linkToken({ emailId, linkId, links: 1 })}`],
      ["GET", `/t/o/${pixelToken(emailId)}.gif`],
      ["GET", `/preferences/${token}`],
      ["GET", `/view/${token}`],
      ["POST", `/t/u/${token}`],
    ] as const,
  };
}

/** What the doors answer to somebody who does not know: each status, whether to come again, and in which words. */
async function answersOf({ apiKey, ctx }: TestProject, token: string, emailId: string) {
  const bearer = bearerClient(apiKey);
  const answers = [
    await bearer("GET", "/v1/contacts"),
    await bearer("POST", "/v1/send", mail),
    await bearer("POST", "/v1/contacts", { email: "late@example.com" }),
  ];
  const platform = await platformClient(token)("GET", "/lists");
  const late = await upsertContact(ctx, { email: "late@example.com" }).catch((error: unknown) =>
    toAppError(error, "test"),
  );
  const relayed = await relay.refused({ to: "ada@example.com" });
  const server = await SmtpClient.open(inbound.port);
  try {
    await server.say("EHLO client.example.com");
    await server.say("MAIL FROM:<>");
    const returned = await server.say(`RCPT TO:<${returnPathOf(emailId, hostname)}>`);
    return {
      statuses: [...answers, platform].map(({ status }) => status),
      retryAfter: [...answers, platform].every(({ headers }) => headers.has("retry-after")),
      words: [
        ...answers.map(({ text }) => text),
        JSON.stringify(platform.body),
        "message" in late ? String(late.message) : "",
        relayed,
        returned.lines.join(" "),
      ],
      relay: relayed.slice(0, 3),
      inbound: returned.code,
    };
  } finally {
    server.end();
  }
}

test("while a project is closed every door asks to come again, and then they name the new address", async () => {
  const { project } = relay;
  const { projectId } = project;
  const token = await platformToken(project);
  const { emailId, links } = await leaving(project);
  const app = createTrackingApp();
  const wire = encodeId("project", projectId);

  await setState(projectId, "closed");
  await learned(project.apiKey, "is being moved");
  const closed = await answersOf(project, token, emailId);
  expect(closed).toMatchObject({
    statuses: [503, 503, 503, 503],
    retryAfter: true,
    relay: "452",
    inbound: 452,
  });
  expect(closed.words.filter((words) => !words.includes("being moved"))).toEqual([]);
  for (const [method, path] of links) {
    const { status, headers } = await app.request(path, { method });
    expect({ path, status, again: headers.has("retry-after") }).toEqual({
      path,
      status: 503,
      again: true,
    });
  }
  expect((await findProjectsAway()).get(wire)).toEqual({ url: null });

  await setState(projectId, "moved");
  await learned(project.apiKey, there);
  const moved = await answersOf(project, token, emailId);
  expect(moved).toMatchObject({ statuses: [503, 503, 503, 503], relay: "452", inbound: 452 });
  expect(moved.words.filter((words) => !words.includes(there))).toEqual([]);
  for (const [method, path] of links) {
    const { status, headers } = await app.request(`${path}?lang=en`, { method });
    expect([status, headers.get("location")]).toEqual([307, `${there}${path}?lang=en`]);
  }
  expect((await findProjectsAway()).get(wire)).toEqual({ url: there });

  await setState(projectId, "copying");
  await cancelMove(source.url, ends.targetUrl, projectId);
  await learned(project.apiKey, '"data"');
}, 120_000);

const jobs = [
  ...["campaigns", "warmup", "receivers", "webhooks", "domains", "sesIdentities", "imports"],
  ...["bulkChanges", "mergedMail", "lateMail", "surveys", "segments", "teamLetters", "cleanup"],
] as const;

/** A campaign that is due, an event that a webhook is to be told, and something that has expired. */
async function withDueWork(project: Sender, endpoint: string): Promise<string> {
  const { ctx, projectId, from } = project;
  await makeWebhook(ctx, endpoint, ["contact.created"]);
  await upsertContact(ctx, { email: `reader@${from.split("@")[1]}` });
  await source.db.execute(sql`
    insert into presences (project_id, thing_id, user_id, tab, seen_at)
    values (${projectId}, ${newId(projectId)}, ${project.userId}, 'a', app_now() - interval '2 hours')`);
  return makeCampaign(source.db, { projectId, fromEmail: from });
}

/** Work of other kinds, which nobody is to begin. */
async function withOtherDueWork({ projectId, from }: Sender): Promise<void> {
  // Whose receivers are yet to be looked up: as many as one run takes.
  for (let number = 0; number < 20; number++) {
    const campaign = await makeCampaign(source.db, { projectId, fromEmail: from });
    await source.db.execute(sql`
      update campaigns set due_at = null, audience_done_at = app_now() - interval '1 day'
      where id = ${campaign}`);
  }
  // An upload whose process died.
  await source.db.execute(sql`
    insert into contact_imports (id, project_id, status, created_at)
    values (${newId(projectId)}, ${projectId}, 'STAGING', app_now() - interval '3 hours')`);
  await source.db.execute(sql`
    insert into team_letters (id, project_id, kind, data)
    values (${newId(projectId)}, ${projectId}, 'campaignSent', '{}')`);
  await source.db.execute(sql`
    insert into contact_surveys (project_id, due_at) values (${projectId}, app_now())
    on conflict (project_id) do update set due_at = excluded.due_at`);
  await source.db.execute(sql`
    update domains set next_check_at = app_now() where project_id = ${projectId}`);
  await source.db.execute(sql`
    insert into sender_pauses (domain_id, project_id, words, probe_at)
    select id, project_id, 'no', app_now() from domains
    where project_id = ${projectId} and not built_in limit 1`);
}

test("of a project that is closed or has moved nothing is begun, and nobody else's work waits for it", async () => {
  const endpoint = await startEndpoint();
  stops.push(() => endpoint.stop());
  const gone = await makeSender(source.db, 3, "gone.example");
  // The longest overdue of all is the one that may not be touched.
  const campaignOfGone = await withDueWork(gone, endpoint.url);
  await withOtherDueWork(gone);
  await expect(move(gone.projectId, atDrain)).rejects.toThrow("broken off");
  const dueOf = async () => {
    const [row] = await source.db.execute(sql`
      select (select due_at from campaigns where id = ${campaignOfGone})::text as campaign,
        (select failed_steps from campaigns where id = ${campaignOfGone}) as failed,
        (select count(*) from contact_imports where project_id = ${gone.projectId})::int as imports,
        (select attempts from team_letters where project_id = ${gone.projectId}) as letters,
        (select due_at from contact_surveys where project_id = ${gone.projectId})::text as survey,
        (select probe_at from sender_pauses where project_id = ${gone.projectId})::text as pause,
        (select min(next_check_at) from domains where project_id = ${gone.projectId})::text as domain,
        (select count(*) from campaigns
          where project_id = ${gone.projectId} and receivers_read_at is not null)::int as receivers,
        (select count(*) from webhook_deliveries
          where project_id = ${gone.projectId} and attempts = 0 and lease_id is null)::int as deliveries`);
    return row;
  };
  const before = await dueOf();
  expect(before).toMatchObject({ failed: 0, letters: 0, receivers: 0, deliveries: 1 });

  for (const state of ["closed", "moved"]) {
    await setState(gone.projectId, state);
    const stays = await makeSender(source.db, 3, `${state}.stays.example`);
    const campaign = await withDueWork(stays, endpoint.url);
    const calls = endpoint.calls.length;
    for (const job of jobs) {
      const signal = AbortSignal.timeout(30_000);
      expect(await runJob(job, { db: source.db, signal })).toHaveProperty(job);
    }
    expect(endpoint.calls.length).toBeGreaterThan(calls);
    const [receivers] = await source.db.execute(sql`
      select receivers_read_at is not null as read from campaigns where id = ${campaign}`);
    expect(receivers).toEqual({ read: true });
    await dispatchDue({ db: source.db, transport: null });
    await until(
      async () => {
        await advance(source.db);
        return (await storedCampaign(source.db, campaign)).status === "SENT";
      },
      { what: "the end of the other's campaign", seconds: 60, everyMilliseconds: 100 },
    );
    expect((await storedCampaign(source.db, campaign)).people).toBe(4);
    expect(await dueOf()).toEqual(before);
    expect((await storedCampaign(source.db, campaignOfGone)).emails).toBe(0);
  }
  // What has expired goes, whoever's it is: the other database deletes it, too.
  const [left] = await source.db.execute(sql`select count(*)::int as presences from presences`);
  expect(left).toEqual({ presences: 0 });
  await setState(gone.projectId, "copying");
  await cancelMove(source.url, ends.targetUrl, gone.projectId);
}, 180_000);

test("a statement with changes of several projects leaves out the one that is closed alone", async () => {
  const gone = await makeProject(source.db);
  const stays = await makeProject(source.db);
  await expect(move(gone.projectId, atDrain)).rejects.toThrow("broken off");
  await setState(gone.projectId, "closed");
  let statements = 0;
  const rename = coalesceFor(async (db: typeof source.db, ids: string[]) => {
    statements++;
    const rows = await db.execute<{ id: string }>(sql`
      update projects set name = 'Other' where id = any(${sql.param(ids)}::uuid[]) returning id`);
    const done = new Set(rows.map(({ id }) => id));
    return ids.map((id) => done.has(id));
  });
  const [refused, done] = await Promise.allSettled([
    rename(source.db, gone.projectId),
    rename(source.db, stays.projectId),
  ]);
  expect(done).toEqual({ status: "fulfilled", value: true });
  expect(refused.status === "rejected" && toAppError(refused.reason, "test")).toMatchObject({
    code: "UNAVAILABLE",
  });
  expect(statements).toBe(3);
  await cancelMove(source.url, ends.targetUrl, gone.projectId);
}, 60_000);
