import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { emails, emailEvents, links, webhookDeliveries, webhooks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { makeProject } from "@/lib/testing";
import { recordVisits } from "@/lib/domain/tracking/record";
import { linkIdOf } from "@/lib/mail/tracking/link-registry";
import { linkToken, pixelToken } from "@/lib/mail/tracking/tokens";
import { newId } from "@/lib/ground/ids/ids";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();

/** Through one of two apps, as two processes would have them. */
const others = [app, createTrackingApp()];
let asked = 0;
const ask = async (request: Request): Promise<Response> =>
  (others[asked++ % 2] ?? app).fetch(request);

const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";
const get = (path: string, { agent = chrome, method = "GET", address = "203.0.113.7" } = {}) =>
  ask(
    new Request(`http://localhost${path}`, {
      method,
      headers: { "user-agent": agent, "x-forwarded-for": address },
    }),
  );

/** A campaign's email that was sent, with links to these addresses. */
async function sentEmail(urls: string[] = ["https://shop.example/a"], { counted = false } = {}) {
  const { ctx, projectId } = await makeProject(database.db);
  const { messageId, emailIds } = await sendingCampaign(
    { db: database.db, projectId },
    { id: projectId, name: "example.com" },
    [{ email: "ada@example.org" }],
    { html: "<p>News</p>" },
  );
  const [emailId = ""] = emailIds;
  const { db } = database;
  await db
    .update(emails)
    .set({ status: "SENT", sentAt: sql`app_now()` })
    .where(eq(emails.id, emailId));
  const linkRows = await db
    .insert(links)
    .values(
      urls.map((url) => ({
        projectId,
        messageId,
        url,
        ...(counted ? {} : { id: linkIdOf(messageId, url) }),
      })),
    )
    .returning();
  const linkIds = new Map(linkRows.map(({ id, url }) => [url, id]));
  return {
    ctx,
    projectId,
    emailId,
    open: `/t/o/${pixelToken(emailId)}.gif`,
    click: (url = urls[0] ?? "") =>
      `/t/c/${linkToken({ emailId, linkId: linkIds.get(url) ?? 0n, links: urls.length })}`,
    email: async () => {
      const [row] = await db.select().from(emails).where(eq(emails.id, emailId));
      if (!row) throw new Error("There is no such email.");
      const { status, opens, clicks } = row;
      const [delivered, opened, clicked] = [row.deliveredAt, row.openedAt, row.clickedAt].map(
        Boolean,
      );
      return { status, opens, clicks, delivered, opened, clicked };
    },
    events: () =>
      db
        .select({ name: emailEvents.name, data: emailEvents.data })
        .from(emailEvents)
        .where(eq(emailEvents.emailId, emailId))
        .orderBy(emailEvents.createdAt),
    figures: async () => {
      const [row] = await db.execute<Record<string, number>>(sql`
        select sum(delivered)::int as delivered, sum(opened)::int as opened, sum(clicked)::int as clicked,
          sum(opens)::int as opens, sum(clicks)::int as clicks, sum(machine_opens)::int as "machineOpens",
          sum(machine_clicks)::int as "machineClicks"
        from hourly_figures where project_id = ${projectId}`);
      return row;
    },
    linkFigures: async () =>
      db.execute<Record<string, unknown>>(sql`
        select l.url, sum(f.clicks)::int as clicks, sum(f.unique_clicks)::int as unique,
          sum(f.machine_clicks)::int as machine
        from link_figures f join links l on l.id = f.link_id
        where l.project_id = ${projectId} group by l.url order by l.url`),
  };
}

const untouched = {
  status: "SENT",
  opens: 0,
  clicks: 0,
  delivered: false,
  opened: false,
  clicked: false,
};

describe("the pixel", () => {
  it("is a picture of 43 bytes that is kept nowhere, and the open is recorded before it is answered", async () => {
    const mail = await sentEmail();
    const answer = await get(mail.open);
    const body = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(200);
    expect([body.length, body.subarray(0, 6).toString(), body.at(-1)]).toEqual([
      43,
      "GIF89a",
      0x3b,
    ]);
    expect(answer.headers.get("content-type")).toBe("image/gif");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await mail.email()).toEqual({
      ...untouched,
      status: "OPENED",
      opens: 1,
      delivered: true,
      opened: true,
    });
    expect(await mail.events()).toEqual([
      { name: "opened", data: { userAgent: chrome, ip: "203.0.113.7" } },
    ]);
    await get(mail.open);
    expect(await mail.figures()).toMatchObject({
      delivered: 1,
      opened: 1,
      opens: 2,
      machineOpens: 0,
    });
  });

  it("counts an opening through a mailbox provider's proxy, without the proxy's address", async () => {
    const mail = await sentEmail();
    const agent =
      "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
    await get(mail.open, { agent });
    expect((await mail.email()).opened).toBe(true);
    expect(await mail.events()).toEqual([{ name: "opened", data: { userAgent: agent } }]);
  });

  it("tells machines apart: their opens are kept, and change nothing of the email", async () => {
    const mail = await sentEmail();
    await get(mail.open, { agent: "Mozilla/5.0" });
    expect(await mail.email()).toEqual(untouched);
    expect(await mail.figures()).toMatchObject({
      delivered: 0,
      opened: 0,
      opens: 0,
      machineOpens: 1,
    });
    expect(await mail.events()).toEqual([
      { name: "opened", data: { userAgent: "Mozilla/5.0", machine: true } },
    ]);
  });
});

describe("a link", () => {
  it("of a mail from a version that counted links leads where it led, and counts", async () => {
    const mail = await sentEmail(undefined, { counted: true });
    expect(mail.click()).toHaveLength("/t/c/".length + 44);
    const answer = await get(mail.click());
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("https://shop.example/a");
    expect((await mail.email()).clicks).toBe(1);
  });

  it("leads to the address in the database, and the click is recorded before", async () => {
    const url = "https://shop.example/?a=1&b=ü#top";
    const mail = await sentEmail([url]);
    const answer = await get(mail.click());
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("https://shop.example/?a=1&b=%C3%BC#top");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await mail.email()).toEqual({
      ...untouched,
      status: "CLICKED",
      clicks: 1,
      delivered: true,
      clicked: true,
    });
    expect(await mail.events()).toEqual([
      { name: "clicked", data: { url, userAgent: chrome, ip: "203.0.113.7" } },
    ]);
    expect(await mail.linkFigures()).toEqual([{ url, clicks: 1, unique: 1, machine: 0 }]);
  });

  it("counts a person once and each click, whatever comes at the same time, from several processes", async () => {
    const mail = await sentEmail();
    const answers = await Promise.all(Array.from({ length: 200 }, () => get(mail.click())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    expect(await mail.email()).toMatchObject({ status: "CLICKED", clicks: 200 });
    expect(await mail.figures()).toMatchObject({ delivered: 1, clicked: 1, clicks: 200 });
    expect(await mail.linkFigures()).toMatchObject([{ clicks: 200, unique: 1, machine: 0 }]);
    expect(await mail.events()).toHaveLength(200);
  });

  it("is not counted by HEAD, which is answered alike", async () => {
    const mail = await sentEmail();
    const answer = await get(mail.click(), { method: "HEAD" });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      "https://shop.example/a",
    ]);
    expect((await get(mail.open, { method: "HEAD" })).status).toBe(200);
    expect((await get(mail.click(), { method: "POST" })).status).toBe(405);
    expect([await mail.email(), await mail.events()]).toEqual([untouched, []]);
  });

  it("whose token is not ours is not found, and leads nowhere", async () => {
    const mail = await sentEmail();
    const token = mail.click().slice("/t/c/".length);
    const spoiled = token.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const foreign = pixelToken(mail.emailId);
    for (const path of [
      spoiled,
      foreign,
      "x",
      `${token}x`,
      `${spoiled}?url=https://evil.example`,
    ]) {
      const answer = await get(`/t/c/${path}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([404, null]);
    }
    expect((await get(`/t/o/${spoiled}.gif`)).status).toBe(404);
    expect((await get(mail.open.replace(".gif", ""))).status).toBe(404);
    expect(await mail.events()).toEqual([]);
  });

  it("leads nowhere that is not the web, whatever stands in the database", async () => {
    for (const url of [
      "javascript:alert(1)",
      "data:text/html,x",
      "//evil.example",
      "ftp://x.example",
    ]) {
      const mail = await sentEmail([url]);
      const answer = await get(mail.click());
      expect([answer.status, answer.headers.get("location")]).toEqual([404, null]);
    }
  });

  it("still leads there when the email is gone", async () => {
    const mail = await sentEmail();
    await database.db.delete(emails).where(eq(emails.id, mail.emailId));
    expect((await get(mail.click())).headers.get("location")).toBe("https://shop.example/a");
    expect((await get(mail.open)).status).toBe(200);
    expect(await mail.events()).toEqual([]);
  });

  it("of somebody who was deleted for good is counted without their address", async () => {
    const mail = await sentEmail([
      "https://shop.example/a",
      "https://shop.example/?to=ADA%40example.org",
      "https://shop.example/ada@example.org",
    ]);
    await deleteContact({ ...mail.ctx, db: database.db }, "ada@example.org");
    const rows = await database.db.select().from(links).where(eq(links.projectId, mail.projectId));
    expect(rows.map(({ url }) => url)).toEqual(["https://shop.example/a"]);
    await get(mail.click());
    expect((await mail.events()).at(-1)?.data).toEqual({
      url: "https://shop.example/a",
      userAgent: chrome,
    });
    expect(await mail.figures()).toMatchObject({ clicks: 1, clicked: 1 });
  });

  it("followed with a very long agent is kept with its beginning", async () => {
    const mail = await sentEmail();
    await get(mail.click(), { agent: "x".repeat(8_000) });
    expect((await mail.events())[0]?.data["userAgent"]).toBe("x".repeat(500));
  });

  it("does not lift the status of mail that bounced or was complained about", async () => {
    for (const status of ["BOUNCED", "COMPLAINED"] as const) {
      const mail = await sentEmail();
      await database.db.update(emails).set({ status }).where(eq(emails.id, mail.emailId));
      await get(mail.click());
      expect(await mail.email()).toMatchObject({ status, clicks: 1, clicked: true });
    }
  });
});

describe("most links of an email within two seconds", () => {
  const urls = [1, 2, 3, 4, 5].map((number) => `https://shop.example/${number}`);

  it("are a machine's, and those before the deciding one are taken back from the person", async () => {
    const mail = await sentEmail(urls);
    await get(mail.open);
    for (const url of urls) await get(mail.click(url));
    expect(await mail.email()).toEqual({
      status: "OPENED",
      opens: 1,
      clicks: 0,
      delivered: true,
      opened: true,
      clicked: false,
    });
    expect(await mail.figures()).toMatchObject({
      opened: 1,
      clicked: 0,
      clicks: 0,
      machineClicks: 5,
    });
    expect(await mail.linkFigures()).toEqual(
      urls.map((url) => ({ url, clicks: 0, unique: 0, machine: 1 })),
    );
    const clicked = (await mail.events()).filter(({ name }) => name === "clicked");
    expect(clicked.map(({ data }) => [data["machine"], data["ip"]])).toEqual(
      urls.map(() => [true, undefined]),
    );
  });

  it("are a machine's when they come at once, to several processes", async () => {
    const mail = await sentEmail(urls);
    await Promise.all(urls.map((url) => get(mail.click(url))));
    expect(await mail.email()).toMatchObject({ clicks: 0, opened: false, clicked: false });
    expect(await mail.figures()).toMatchObject({ clicked: 0, clicks: 0, machineClicks: 5 });
    expect(await mail.linkFigures()).toEqual(
      urls.map((url) => ({ url, clicks: 0, unique: 0, machine: 1 })),
    );
  });

  it("are a person's when they are few, slow, or one and the same", async () => {
    const mail = await sentEmail(urls);
    await get(mail.click(urls[0]));
    await get(mail.click(urls[1]));
    await get(mail.click(urls[0]));
    await database.travel("3 seconds");
    await get(mail.click(urls[2]));
    await get(mail.click(urls[3]));
    expect(await mail.email()).toMatchObject({ status: "CLICKED", clicks: 5 });
    const single = await sentEmail();
    for (let times = 0; times < 5; times++) await get(single.click());
    expect(await single.email()).toMatchObject({ status: "CLICKED", clicks: 5 });
    expect(await single.figures()).toMatchObject({ clicked: 1, clicks: 5, machineClicks: 0 });
  });

  it("leave what the person did before as it was", async () => {
    const mail = await sentEmail(urls);
    await get(mail.click(urls[0]));
    await database.travel("1 minute");
    for (const url of urls) await get(mail.click(url));
    expect(await mail.email()).toMatchObject({ status: "CLICKED", clicked: true });
    expect(await mail.figures()).toMatchObject({ clicked: 1 });
  });
});

it("opens and clicks of people are told to webhooks, those of machines are not", async () => {
  const mail = await sentEmail();
  await database.db.insert(webhooks).values({
    id: newId(mail.projectId),
    projectId: mail.projectId,
    url: "https://hook.example",
    events: ["email.opened", "email.clicked"],
    secretSealed: "x",
  });
  await get(mail.open, { agent: "Mozilla/5.0" });
  await get(mail.open);
  await get(mail.click());
  const told = await database.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.projectId, mail.projectId));
  expect(told.map(({ event, subjectId }) => [event, subjectId]).toSorted()).toEqual([
    ["email.clicked", mail.emailId],
    ["email.opened", mail.emailId],
  ]);
});

it("figures of mixed visits from several processes at once add up", async () => {
  const mails = await Promise.all(Array.from({ length: 6 }, () => sentEmail()));
  const visits = mails.flatMap(({ emailId }) =>
    Array.from({ length: 20 }, () => ({
      emailId,
      link: null,
      visitor: { userAgent: chrome, address: "203.0.113.7" },
    })),
  );
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      recordVisits(database.db, index % 2 ? visits : visits.toReversed()),
    ),
  );
  for (const mail of mails) {
    expect(await mail.figures()).toMatchObject({ opens: 160, opened: 1, delivered: 1 });
    expect(await mail.email()).toMatchObject({ opens: 160, status: "OPENED" });
  }
});
