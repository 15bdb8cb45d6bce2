import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eq, sql } from "drizzle-orm";
import { domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import type { CampaignInput } from "@/lib/domain/campaigns/schema";
import { scheduleCampaign, sendCampaign } from "@/lib/domain/campaigns/transitions";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createSegment, deleteSegment } from "@/lib/domain/segments/segments";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { setWarmup } from "@/lib/domain/sending-domains/warm-up";
import { setCampaignPace } from "@/lib/domain/sending-state/pace";
import { createTemplate } from "@/lib/domain/templates/templates";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { seedContacts } from "@/lib/testing/campaigns";
import { verifiedDomain } from "@/lib/testing/delivery";
import { preflightCampaign } from "./preflight";
import type { Preflight } from "./schema";

const database = useTestDatabase();
let ctx: Context;
let projectId: string;
/** Answers by path: a status, `silent`, or bytes of a picture. */
const requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  const path = request.url ?? "/";
  if (path === "/silent") return;
  if (path === "/moved") return void response.writeHead(302, { location: "/gone" }).end();
  if (path === "/no-head" && request.method === "HEAD") return void response.writeHead(405).end();
  if (path === "/large.png")
    return void response.writeHead(200, { "content-length": 3_000_000 }).end();
  const status = path === "/gone" ? 404 : path === "/private" ? 403 : 200;
  response.writeHead(status).end("ok");
});
let base = "";

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  ({ ctx, projectId } = await makeProject(database.db));
  requests.length = 0;
});

const html = "<p>Hello {{ firstName | default: 'you' }}</p>";
const make = async (fields: CampaignInput = {}) =>
  (
    await createCampaign(ctx, {
      name: "News",
      subject: "News",
      from: "news@sandbox.test",
      body: html,
      ...fields,
    })
  ).id;
const check = async (fields: CampaignInput = {}) => preflightCampaign(ctx, await make(fields));
const find = ({ advisory, blocking }: Preflight, code: string) =>
  [...blocking, ...advisory].filter((finding) => finding.code === code);
const codes = ({ advisory, blocking }: Preflight) =>
  [...blocking, ...advisory].map(({ code }) => code);
const people = (count: number) => seedContacts(database.db, projectId, count);

test("a campaign with nothing against it gets no word, and its audience is counted", async () => {
  await people(3);
  await updateProjectSettings(ctx, { postalAddress: "Example Ltd\n1 High Street" });
  const result = await check({
    body: '<p>Hello {{ firstName }}, <a href="{{ unsubscribeUrl }}">leave</a></p>',
  });
  expect(codes(result)).toEqual([]);
  expect(result).toMatchObject({
    audience: { count: 3, total: 3 },
    looked: { people: 3 },
    sender: { domain: "sandbox.test", verified: true },
    warmup: null,
  });
});

describe("placeholders", () => {
  test("one that nobody has is a likely typo, and what was meant is said", async () => {
    await people(3);
    const result = await check({
      subject: "{{ contact.firstName }}, our autumn letter",
      body: "<p>\n{{ fistName }} {{ data.pln }}</p>",
    });
    expect(find(result, "placeholder_unknown")).toMatchObject([
      {
        suggestion: "{{ firstName }}",
        count: 3,
        places: [{ path: "subject", excerpt: "{{ contact.firstName }}", line: 1, column: 1 }],
      },
      { suggestion: "{{ firstName }}", places: [{ path: "body", line: 2, column: 1 }] },
      { suggestion: null, places: [{ path: "body", line: 2, column: 16 }] },
    ]);
  });

  test("a key of custom data is proposed by its nearest name", async () => {
    await upsertContact(ctx, {
      email: "ada@sandbox.test",
      data: { plan: "pro" },
      subscribed: true,
    });
    const result = await check({ body: "<p>{{ paln }} {{ data.plam }} {{ plan }}</p>" });
    expect(find(result, "placeholder_unknown").map(({ suggestion }) => suggestion)).toEqual([
      "{{ plan }}",
      "{{ data.plan }}",
    ]);
  });

  test("one that some lack is counted, with examples and a default to put in", async () => {
    await people(4);
    for (const email of ["x@example.org", "y@example.org"]) {
      await upsertContact(ctx, { email, subscribed: true, data: { plan: "" } });
    }
    await upsertContact(ctx, { email: "no@example.org", subscribed: false });
    const result = await check({
      subject: "{{ firstName }}, hello",
      body: "{{ firstName | default: 'you' }}{% if lastName %}{{ lastName }}{% endif %}{{ tags.first }}",
    });
    expect(find(result, "placeholder_missing")).toMatchObject([
      {
        count: 2,
        examples: ["x@example.org", "y@example.org"],
        places: [{ path: "subject" }],
        suggestion: "{{ firstName | default: 'there' }}",
      },
    ]);
  });

  test("fields of the list, and each variant's own text, are looked at", async () => {
    await people(2);
    const result = await check({
      abTest: {
        variants: [{ subject: "{{ nobody }}" }, { subject: "B", body: "<p>{{ neither }}</p>" }],
      },
    });
    expect(find(result, "placeholder_unknown").map(({ places }) => places[0]?.path)).toEqual([
      "abTest.variants[0].subject",
      "abTest.variants[1].body",
    ]);
  });

  test("of a large audience a sample is looked at", async () => {
    await people(60_000);
    await database.db.execute(sql`
      update contacts set first_name = '' where project_id = ${projectId}
        and substring(email from '[0-9]+')::int % 2 = 0`);
    const result = await check({ subject: "{{ firstName }} {{ nothing }}" });
    expect(result.audience?.count).toBe(60_000);
    expect(result.looked.people).toBeGreaterThan(7_000);
    expect(result.looked.people).toBeLessThan(10_000);
    const [missing] = find(result, "placeholder_missing");
    expect((missing?.count ?? 0) / result.looked.people).toBeCloseTo(0.5, 1);
    expect(find(result, "placeholder_unknown")).toHaveLength(1);
  });
});

describe("links and pictures", () => {
  test("those that do not answer are named with their place, others are not", async () => {
    await people(1);
    const path = (name: string) => `<a href="${base}/${name}">${name}</a>`;
    const result = await check({
      body: `<p>${path("fine")}\n${path("gone")}${path("moved")}${path("private")}${path("no-head")}
        <a href="{{ data.own }}">own</a><a href="htps://typo">t</a><a href="#">n</a>
        <a href="http://127.0.0.1:1/">closed</a></p>`,
    });
    expect(find(result, "link_broken")).toMatchObject([
      {
        count: 2,
        examples: [`${base}/gone`, `${base}/moved`],
        places: [
          { path: "body", line: 2, excerpt: `${base}/gone` },
          { path: "body", line: 2 },
        ],
      },
    ]);
    expect(find(result, "link_unreachable")).toMatchObject([{ examples: ["http://127.0.0.1:1/"] }]);
    expect(find(result, "link_invalid")).toMatchObject([{ examples: ["", "htps://typo", "#"] }]);
    expect(requests).toContain("HEAD /no-head");
    expect(requests).toContain("GET /no-head");
    // What was found out is kept for some minutes.
    requests.length = 0;
    await check({ body: `<p>${path("fine")}${path("gone")}</p>` });
    expect(requests).toEqual([]);
  });

  test("an address inside is not called where private ones are not permitted", async () => {
    await people(1);
    process.env["ALLOW_PRIVATE_ADDRESSES"] = "0";
    const { reloadEnv } = await import("@/lib/ground/env/env");
    reloadEnv();
    try {
      const result = await check({ body: `<a href="${base}/secret">inner</a>` });
      expect(find(result, "link_unreachable")).toMatchObject([{ count: 1 }]);
      expect(requests).toEqual([]);
    } finally {
      delete process.env["ALLOW_PRIVATE_ADDRESSES"];
      reloadEnv();
    }
  });

  test("pictures without words, too heavy or lost are named", async () => {
    await people(1);
    const result = await check({
      body: `<img src="${base}/large.png" alt="A"><img src="${base}/gone" alt=""><img src="data:image/png;base64,AAAA">`,
    });
    expect(find(result, "image_too_heavy")).toMatchObject([{ examples: [`${base}/large.png`] }]);
    expect(find(result, "image_broken")).toMatchObject([{ examples: [`${base}/gone`] }]);
    expect(find(result, "image_without_alt")).toMatchObject([{ count: 1 }]);
    expect(find(result, "image_embedded")).toMatchObject([{ count: 1 }]);
  });
});

test("the size is that of what goes out, tracked links included", async () => {
  await people(1);
  const link = '<a href="https://sandbox.test/">x</a>';
  const short = await check({ body: link.repeat(1_900), tracking: { clicks: false } });
  const tracked = await check({ body: link.repeat(1_900), tracking: { clicks: true } });
  expect(codes(short)).not.toContain("size_over_102_kb");
  expect(codes(tracked)).toContain("size_over_102_kb");
  expect(tracked.bytes).toBeGreaterThan(short.bytes + 1_900 * 30);
});

describe("the sender", () => {
  async function domain(checks: (typeof domains.$inferSelect)["checks"]) {
    const name = `s${Math.random().toString(36).slice(2)}.example.com`;
    const { id } = await verifiedDomain(database.db, projectId, name);
    await database.db
      .update(domains)
      .set({ checks, verifiedAt: new Date() })
      .where(eq(domains.id, id));
    return { id, from: `news@${name}` };
  }

  test("its DMARC policy is told, and a missing one advised", async () => {
    await people(1);
    const good = await domain({ DMARC: { ok: true, found: ["v=DMARC1; p=quarantine"] } });
    expect((await check({ from: good.from })).sender).toMatchObject({ dmarc: "quarantine" });
    const bad = await domain({
      DMARC: { ok: false, found: [], kind: "missing", problem: "There is no DMARC record." },
      DKIM: { ok: false, found: [], kind: "missing", problem: "There is no DKIM record." },
    });
    const result = await check({ from: bad.from });
    expect(result.sender).toMatchObject({ dmarc: null });
    expect(codes(result)).toEqual(expect.arrayContaining(["dmarc_problem", "dns_problem"]));
  });

  test("a warm-up says how many days the campaign takes", async () => {
    await people(500);
    const { id, from } = await domain({});
    await setWarmup(ctx, encodeId("domain", id), { enabled: true, schedule: [100, 200, 400] });
    const result = await check({ from });
    expect(result.warmup).toMatchObject({ dailyCap: 100, days: 3 });
    expect(find(result, "warm_up")).toMatchObject([
      {
        count: 3,
        message: expect.stringMatching(/until about \d+ \w{3,4} \d{4}, \d\d:\d\d UTC\.$/),
      },
    ]);
  });

  test("a new domain without one is advised to have one for many people", async () => {
    await people(1_000);
    const { from } = await domain({});
    expect(codes(await check({ from }))).toContain("warm_up_advised");
  });
});

test("the project's pace is told where the campaign outlasts an hour", async () => {
  await people(25);
  await setCampaignPace(ctx, { emailsPerHour: 25 });
  expect(codes(await check({}))).not.toContain("paced");
  await setCampaignPace(ctx, { emailsPerHour: 10 });
  expect(find(await check({}), "paced")).toMatchObject([
    { count: 3, message: expect.stringContaining("about 3 hours") as string },
  ]);
});

test("spam words are counted by a list of our own", async () => {
  await people(1);
  const result = await check({
    subject: "RE: YOU HAVE WON!!",
    body: "<p>Act now and double your income: you have been selected</p>",
  });
  expect(result.spam.score).toBeGreaterThanOrEqual(5);
  expect(codes(result)).toContain("spam_words");
});

test("an empty audience, a missing address and an added way out are advised, not refused", async () => {
  const id = await make();
  const result = await preflightCampaign(ctx, id);
  expect(codes(result)).toEqual(["audience_empty", "postal_address_missing", "unsubscribe_added"]);
  await expect(sendCampaign(ctx, id, {})).resolves.toMatchObject({
    result: { status: "SENDING" },
  });
});

describe("what blocks", () => {
  const refused = async (id: string, code: string) => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await expect(sendCampaign(ctx, id, {})).rejects.toMatchObject({ code });
    await expect(scheduleCampaign(ctx, id, { scheduledAt: later })).rejects.toMatchObject({ code });
  };

  test("what is missing or gone is named with its field", async () => {
    const segment = await createSegment(ctx, {
      name: "Some",
      filter: { and: [{ field: "email", op: "contains", value: "x" }] },
    });
    const id = await make({ subject: "", body: null, segmentId: segment.id, incomplete: true });
    await deleteSegment(ctx, segment.id);
    const { blocking } = await preflightCampaign(ctx, id);
    expect(blocking.map(({ code, places }) => [code, places[0]?.path])).toEqual([
      ["incomplete", "subject"],
      ["incomplete", "body"],
      ["incomplete", "segmentId"],
    ]);
    await refused(id, "VALIDATION_ERROR");
  });

  test("a sender that is not verified", async () => {
    const id = await make({ from: "news@elsewhere.example" });
    const { blocking, sender } = await preflightCampaign(ctx, id);
    expect(blocking).toMatchObject([{ code: "sender_not_verified", places: [{ path: "from" }] }]);
    expect(sender).toMatchObject({ verified: false });
    await refused(id, "DOMAIN_NOT_VERIFIED");
  });

  test("content that fails for each recipient, and not one that fails for some", async () => {
    await people(2);
    const endless = "{% for a in (1..1000) %}{% for b in (1..1000) %}x{% endfor %}{% endfor %}";
    const id = await make({ body: `<p>${endless}</p>` });
    expect((await preflightCampaign(ctx, id)).blocking).toMatchObject([
      { code: "template_fails", places: [{ path: "body" }] },
    ]);
    await refused(id, "VALIDATION_ERROR");
    const forOne = await make({
      body: `<p>{% if email == 'p0@example.org' %}${endless}{% endif %}</p>`,
    });
    const result = await preflightCampaign(ctx, forOne);
    expect(result.blocking).toEqual([]);
    expect(codes(result)).toContain("template_fails_for_some");
    await sendCampaign(ctx, forOne, {});
  });

  test("a template that was changed to one that does not parse", async () => {
    const template = await createTemplate(ctx, { name: "T", subject: "S", body: "<p>Hi</p>" });
    const id = await make({ templateId: template.id, body: null });
    await database.db.execute(sql`
      update templates set body = '<p>\n{{ oops }' where project_id = ${projectId}`);
    expect((await preflightCampaign(ctx, id)).blocking).toMatchObject([
      { code: "template_invalid", places: [{ path: "templateId", line: 2, column: 1 }] },
    ]);
    await refused(id, "VALIDATION_ERROR");
  });

  test("a way out that nobody can press", async () => {
    await people(1);
    const id = await make({ body: '<p>Hi<a href="{{ unsubscribeUrl }}"></a></p>' });
    expect((await preflightCampaign(ctx, id)).blocking).toMatchObject([
      { code: "unsubscribe_hidden", places: [{ path: "body" }] },
    ]);
    await refused(id, "VALIDATION_ERROR");
  });
});
