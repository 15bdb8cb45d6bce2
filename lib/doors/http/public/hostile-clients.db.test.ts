import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { takeReturnedMail } from "@/lib/domain/delivery-reports/returned-mail";
import { createTopic } from "@/lib/domain/topics/topics";
import { decodeId } from "@/lib/ground/ids/ids";
import { confirmToken, recipientToken } from "@/lib/mail/tracking/tokens";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { advance } from "@/lib/testing/campaigns";
import { dispatchDue } from "@/lib/testing/delivery";
import { makeProject } from "@/lib/testing";
import { useMailServers } from "@/lib/testing/mail-servers";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { createTrackingApp } from "./app";

/* Scanners, forwarded links, edited tokens, fifty clients at once; and that a campaign reaches whom it should. */

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);
const app = createTrackingApp();

const ask = async (method: string, path: string, fields?: Record<string, string>) =>
  app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      ...(fields ? { body: new URLSearchParams(fields) } : {}),
    }),
  );
const choose = async (token: string, fields: Record<string, string>) => {
  const answer = await ask("POST", `/t/preferences/${token}`, fields);
  expect([303, 404]).toContain(answer.status);
  return answer.status;
};

/** Every row of every table but the counts of requests, as text. */
async function dump(): Promise<string> {
  const tables = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'rate_limits' order by 1`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.db.execute(
      sql`select to_jsonb(t)::text as row from ${sql.identifier(name)} t order by 1`,
    );
    texts.push(JSON.stringify([name, ...rows]));
  }
  return texts.join("\n");
}

/** Somebody on a list, with a mail of it. */
async function reader(name = "ada") {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx);
  const member = await join(ctx, list.id, `${name}@example.com`);
  const mail = await campaignMail(database.db, ctx, { ...member, listId: list.id });
  const confirm = confirmToken(decodeId("subscriber", member.id) ?? "");
  return { ctx, projectId, list, member, mail, confirm };
}

const publicPaths = ({ mail: { token }, confirm, list }: Awaited<ReturnType<typeof reader>>) => [
  `/preferences/${token}`,
  `/preferences/${token}?unsubscribe`,
  `/preferences/${token}?done=leave-all`,
  `/preferences/${token}?action=leave-all&list=${list.id}`,
  ...["/t/u/", "/t/preferences/", "/view/", "/request/", "/t/request/"].map((p) => p + token),
  ...["/confirm/", "/t/confirm/", "/f/confirm/"].map((p) => p + confirm),
];

test("a scanner's GET, HEAD and OPTIONS change nothing on any public path", async () => {
  const paths = publicPaths(await reader());
  const before = await dump();
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    for (const path of paths) {
      const answer = await ask(method, path);
      expect(answer.status, `${method} ${path}`).toBeLessThan(500);
      if (method === "HEAD") expect(await answer.text(), path).toBe("");
    }
  }
  expect(await dump()).toBe(before);
});

describe("a token", () => {
  test("that is edited in any place opens nothing and changes nothing", async () => {
    const { mail, confirm } = await reader();
    const before = await dump();
    const editions = (token: string) =>
      [...token].flatMap((letter, at) => {
        // The last character has bits that no byte takes: two spellings of it may be one token.
        if (at === token.length - 1) return [];
        return [token.slice(0, at) + (letter === "A" ? "B" : "A") + token.slice(at + 1)];
      });
    for (const edited of editions(mail.token)) {
      expect((await ask("POST", `/t/u/${edited}`)).status).toBe(404);
      expect((await ask("GET", `/preferences/${edited}`)).status).toBe(404);
      expect(await choose(edited, { action: "leave-all" })).toBe(404);
    }
    for (const edited of editions(confirm)) {
      expect((await ask("POST", `/t/confirm/${edited}`, {})).status).toBe(404);
    }
    // One kind of token is none of another kind.
    expect((await ask("POST", `/t/confirm/${mail.token}`, {})).status).toBe(404);
    expect((await ask("POST", `/t/request/${mail.token}`, { action: "confirm" })).status).toBe(404);
    expect((await ask("POST", `/t/u/${confirm}`)).status).toBe(404);
    expect(await dump()).toBe(before);
  });

  test("of another project's mail acts there alone, whatever list it names", async () => {
    const [here, there] = [await reader(), await reader()];
    await choose(there.mail.token, { action: "leave", list: here.list.id });
    expect(await choose(there.mail.token, { action: "leave-all" })).toBe(303);
    const rows = await database.db.execute<{ project_id: string; consent: string }>(sql`
      select project_id, consent from contacts
      where project_id in (${here.projectId}, ${there.projectId})`);
    expect(new Map(rows.map(({ project_id: id, consent }) => [id, consent]))).toEqual(
      new Map([
        [here.projectId, "subscribed"],
        [there.projectId, "unsubscribed"],
      ]),
    );
  });

  test("used by fifty clients at once makes one departure, and a history without gaps", async () => {
    const { projectId, list, mail } = await reader();
    const clicks = Array.from({ length: 50 }, () => ask("POST", `/t/u/${mail.token}`));
    expect((await Promise.all(clicks)).map(({ status }) => status)).toEqual(Array(50).fill(200));
    const [left] = await database.db.execute<{ rows: number; events: number; people: number }>(sql`
      select (select count(*)::int from consent_changes
          where project_id = ${projectId} and after = 'unsubscribed') as rows,
        (select count(*)::int from email_events
          where project_id = ${projectId} and name = 'unsubscribed') as events,
        (select sum(people)::int from departure_figures where project_id = ${projectId}) as people`);
    expect(left).toEqual({ rows: 1, events: 1, people: 1 });
    const wishes: Record<string, string>[] = [
      { action: "join", list: list.id },
      { action: "leave", list: list.id },
      { action: "leave-all" },
      { action: "return" },
      { action: "weekly" },
      { action: "normal" },
    ];
    const statuses = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => choose(mail.token, wishes[nth % wishes.length]!)),
    );
    expect(new Set(statuses)).toEqual(new Set([303]));
    const history = await database.db.execute<{ what: string; before: string; after: string }>(sql`
      select kind || coalesce(list_id::text, '') as what, before, after from consent_changes
      where project_id = ${projectId} and before is not null order by id`);
    const last = new Map<string, string>();
    for (const { what, before, after } of history) {
      expect(after).not.toBe(before);
      if (last.has(what)) expect(before).toBe(last.get(what));
      last.set(what, after);
    }
  });
});

test("after each choice a campaign that is sent reaches exactly those it should", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx);
  const topic = await createTopic(ctx, { name: "Tea" });
  const person = async (name: string) => {
    const member = await join(ctx, list.id, `${name}@example.com`);
    return (await campaignMail(database.db, ctx, { ...member, listId: list.id })).token;
  };
  await person("stays");
  await choose(await person("left-topic"), { action: "leave-topic", topic: topic.id });
  await choose(await person("paused"), { action: "pause", days: "30" });
  await choose(await person("weekly"), { action: "weekly" });
  await choose(await person("left-list"), { action: "leave", list: list.id });
  await choose(await person("left-all"), { action: "leave-all", reason: "too_often" });
  const returned = await person("returned");
  await choose(returned, { action: "leave-all" });
  await choose(returned, { action: "return" });
  const rejoined = await person("rejoined");
  for (const action of ["leave", "join"]) await choose(rejoined, { action, list: list.id });
  const backAtTopic = await person("back-at-topic");
  for (const action of ["leave-topic", "join-topic"]) {
    await choose(backAtTopic, { action, topic: topic.id });
  }
  const resumed = await person("resumed");
  await choose(resumed, { action: "pause", days: "90" });
  await choose(resumed, { action: "resume" });
  await person("erased");
  await deleteContact(ctx, "erased@example.com");
  await choose(await person("moved"), { action: "address", email: "new-address@example.com" });
  const [asking] = await database.db.execute<{ raw: Buffer }>(sql`
    select raw from captured_emails
    where project_id = ${projectId} and envelope_to = 'new-address@example.com'`);
  const { text = "" } = await PostalMime.parse(asking?.raw ?? "");
  const confirm = /\/request\/[\w-]+/.exec(text)?.[0] ?? "";
  await ask("POST", `/t${confirm}`, { action: "confirm" });
  const oneClick = await person("one-click");
  expect((await ask("POST", `/t/u/${oneClick}`)).status).toBe(200);

  const reached = async (values: { topicId?: string; listId?: string }) => {
    const { id } = await createCampaign(ctx, {
      ...{ name: "News", subject: "News", from: "news@sandbox.test", body: "<p>News</p>" },
      ...values,
    });
    await sendCampaign(ctx, id, {});
    await advance(database.db);
    await dispatchDue({ db: database.db, transport: null });
    const rows = await database.db.execute<{ name: string }>(sql`
      select split_part(k.envelope_to, '@', 1) as name
      from captured_emails k join emails e on e.id = k.email_id
      where e.project_id = ${projectId} and e.campaign_id = ${decodeId("campaign", id)} order by 1`);
    return rows.map(({ name }) => name);
  };
  const both = ["back-at-topic", "new-address", "rejoined", "resumed", "returned", "stays"];
  expect(await reached({ listId: list.id, topicId: topic.id })).toEqual(both);
  expect(await reached({ listId: list.id })).toEqual([...both, "left-topic"].toSorted());
  expect(await reached({ topicId: topic.id })).toEqual(
    [...both, "left-list", "one-click"].toSorted(),
  );
});

test("each way of leaving holds from its answer on, for a campaign that is running", async () => {
  const { ctx, domain, key } = await sender();
  const people = Array.from({ length: 150 }, (_, n) => ({ email: `p${n}@example.org` }));
  const { emailIds } = await sendingCampaign(ctx, { id: key.id, name: domain }, people, {
    html: "<p>News</p>",
  });
  const [byClick = "", byPage = "", byMail = ""] = emailIds.slice(-3);
  let leaving: Promise<void> | undefined;
  const leave = async () => {
    await Promise.all([
      ask("POST", `/t/u/${recipientToken(byClick)}`),
      choose(recipientToken(byPage), { action: "leave-all" }),
      takeReturnedMail(
        database.db,
        { kind: "unsubscribe", emailId: byMail, projectId: ctx.projectId, recipient: null },
        { raw: Buffer.from("Subject: unsubscribe\r\n\r\n"), emptySender: false },
      ),
    ]);
  };
  // The receiver answers nobody before the three have left: all that it takes afterwards began after that.
  const began: { to: string; left: boolean }[] = [];
  let left = false;
  const server = await mailServer({
    onMailFrom(_address, _session, callback) {
      leaving ??= leave().finally(() => {
        left = true;
      });
      callback();
    },
    onRcptTo({ address }, _session, callback) {
      began.push({ to: address, left });
      void leaving?.then(() => callback());
    },
  });
  await dispatch(server.url);
  await leaving;
  const gone = new Set(people.slice(-3).map(({ email }) => email));
  expect(began.filter(({ to }) => gone.has(to)).filter((one) => one.left)).toEqual([]);
  expect(server.mails.flatMap(({ to }) => to).filter((to) => gone.has(to))).toEqual([]);
  expect(server.mails).toHaveLength(people.length - 3);
});
