import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { endHold, holdMail } from "@/lib/domain/sending-state/hold";
import { installation, receivingDomains } from "@/db/schema";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { claimEmails } from "./claim";
import { Dispatcher } from "./dispatcher";
import { partOfWorker } from "./part";

/* Workers that are told whose mail they send: the rest waits for others. */

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);

const names = ["WORKER_PROJECTS", "WORKER_PROVIDERS"];
afterEach(() => {
  for (const name of names) delete process.env[name];
  reloadEnv();
});

/** What a worker with these settings sends until nothing of its part is left. */
async function sentBy(settings: Record<string, string>): Promise<string[]> {
  Object.assign(process.env, settings);
  reloadEnv();
  const server = await mailServer();
  await new Dispatcher({
    db: database.db,
    transport: smtpTransport(server.url),
    part: partOfWorker(),
  }).run(AbortSignal.timeout(100_000), { untilEmpty: true });
  for (const name of Object.keys(settings)) delete process.env[name];
  reloadEnv();
  return server.mails.map(({ to: [address = ""] }) => address).toSorted();
}

/** A project with a mail outside campaigns and one of a campaign, to `name` at the host. */
async function withMail(name: string, host: string) {
  const { ctx, key, domain } = await sender();
  await send(ctx, { from: `shop@${domain}`, to: `${name}-alone@${host}` });
  const people = [{ email: `${name}-campaign@${host}` }];
  await sendingCampaign(ctx, { id: key.id, name: domain }, people, { html: "<p>News</p>" });
  return { ctx, domain, id: encodeId("project", ctx.projectId) };
}

describe("a worker with WORKER_PROJECTS", { timeout: 120_000 }, () => {
  it("sends the mail of those alone, and with ! that of all others", async () => {
    const [a, b] = [await withMail("a", "example.org"), await withMail("b", "example.org")];
    await withMail("c", "example.org");
    expect(await sentBy({ WORKER_PROJECTS: `!${a.id}, !${b.id}` })).toEqual([
      ...["c-alone@example.org", "c-campaign@example.org"],
    ]);
    expect(await sentBy({ WORKER_PROJECTS: a.id })).toEqual([
      ...["a-alone@example.org", "a-campaign@example.org"],
    ]);
    expect(await sentBy({})).toEqual(["b-alone@example.org", "b-campaign@example.org"]);
  });

  it("sends nothing that a hold keeps back, and of released projects those that are its own", async () => {
    const [a, b] = [await withMail("d", "example.org"), await withMail("e", "example.org")];
    await holdMail(database.db, "restored");
    await database.db
      .insert(installation)
      .values([a, b].map(({ ctx }) => ({ key: `hold/released/${ctx.projectId}`, value: "" })));
    expect(await sentBy({ WORKER_PROJECTS: `!${a.id}` })).toEqual([
      ...["e-alone@example.org", "e-campaign@example.org"],
    ]);
    await endHold(database.db);
    expect(await sentBy({ WORKER_PROJECTS: a.id })).toHaveLength(2);
  });
});

describe("a worker with WORKER_PROVIDERS", { timeout: 120_000 }, () => {
  it("sends to addresses whose mail those take, by what their domains' MX records say", async () => {
    await database.db.insert(receivingDomains).values([
      { name: "shop.example", receiver: "google.com" },
      { name: "bank.example", receiver: "mx.microsoft" },
    ]);
    await withMail("direct", "gmail.com");
    await withMail("hosted", "shop.example");
    await withMail("bank", "bank.example");
    await withMail("own", "own.example");
    await withMail("else", "else.example");
    expect(await sentBy({ WORKER_PROVIDERS: "google" })).toEqual([
      ...["direct-alone@gmail.com", "direct-campaign@gmail.com"],
      ...["hosted-alone@shop.example", "hosted-campaign@shop.example"],
    ]);
    expect(await sentBy({ WORKER_PROVIDERS: "!microsoft,!own.example" })).toEqual([
      ...["else-alone@else.example", "else-campaign@else.example"],
    ]);
    expect(await sentBy({ WORKER_PROVIDERS: "Other" })).toEqual([
      ...["own-alone@own.example", "own-campaign@own.example"],
    ]);
    expect(await sentBy({})).toEqual(["bank-alone@bank.example", "bank-campaign@bank.example"]);
  });

  it("finds its mail behind any number of others' in the same lane", async () => {
    const { ctx, domain } = await sender();
    for (let request = 0; request < 4; request++) {
      const to = Array.from({ length: 100 }, (_, at) => `p${request}-${at}@example.org`);
      await send(ctx, { from: `shop@${domain}`, to });
    }
    await send(ctx, { from: `shop@${domain}`, to: "last@gmail.com" });
    expect(await sentBy({ WORKER_PROVIDERS: "gmail.com" })).toEqual(["last@gmail.com"]);
    expect(await sentBy({ WORKER_PROVIDERS: "!gmail.com" })).toHaveLength(400);
  });

  it("walks past what waits for others once, and not with each claim", async () => {
    const { ctx, domain } = await sender();
    const db = connect(database.url, { max: 1 });
    try {
      await db.execute(sql`
        with mail as (select new_id() as id from generate_series(1, 3000)), log as (
          insert into emails (id, project_id, message_id, recipient, source, status)
          select id, ${ctx.projectId}::uuid, new_id(), 'ada@example.org', 'TRANSACTIONAL', 'PENDING'
          from mail
        )
        insert into email_queue (email_id, project_id, due_at)
        select id, ${ctx.projectId}::uuid, app_now() from mail`);
      // With statistics the planner itself walks once past what the tests before left: here and now, not while we count.
      await db.execute(sql`vacuum (analyze) email_queue, emails`);
      process.env["WORKER_PROVIDERS"] = "google";
      reloadEnv();
      const part = partOfWorker();
      const claim = () => claimEmails(db, { limit: 10, leaseSeconds: 60, part });
      const read = (work: () => Promise<unknown>) => rowsRead(db, ["email_queue", "emails"], work);
      expect((await claim()).emails).toEqual([]);
      expect(await read(claim)).toBeLessThan(300);
      for (const to of ["one@gmail.com", "two@gmail.com"]) {
        await send(ctx, { from: `shop@${domain}`, to });
        let claimed: string[] = [];
        const rows = await read(async () => {
          claimed = (await claim()).emails.map(({ recipient }) => recipient);
        });
        expect([claimed, rows < 300 || rows]).toEqual([[to], true]);
      }
    } finally {
      await db.$client.end({ timeout: 5 });
    }
  });

  it("goes on as mail comes in, beside one with the rest, and each mail leaves once", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer();
    const stop = new AbortController();
    const running = ["google", "!google"].map((setting) => {
      process.env["WORKER_PROVIDERS"] = setting;
      reloadEnv();
      const transport = smtpTransport(server.url);
      const dispatcher = new Dispatcher({ db: database.db, transport, part: partOfWorker() });
      return dispatcher.run(stop.signal);
    });
    stops.unshift(async () => {
      stop.abort();
      await Promise.all(running);
    });
    for (let turn = 0; turn < 5; turn++) {
      const to = [`a${turn}@gmail.com`, `b${turn}@example.org`];
      await send(ctx, { from: `shop@${domain}`, to });
    }
    await until(() => server.mails.length >= 10, { what: "all of it", seconds: 60 });
    stop.abort();
    await Promise.all(running);
    expect(new Set(server.mails.map(({ to: [address] }) => address)).size).toBe(10);
    expect(server.mails).toHaveLength(10);
  });

  it("does not start with a provider that nobody knows", () => {
    process.env["WORKER_PROVIDERS"] = "google,gmail";
    reloadEnv();
    expect(partOfWorker).toThrow(
      "WORKER_PROVIDERS: gmail is neither a domain nor one of google, microsoft,",
    );
  });
});
