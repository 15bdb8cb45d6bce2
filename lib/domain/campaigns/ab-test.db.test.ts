import { beforeAll, describe, expect, test } from "vitest";
import { domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { defaultTheme } from "@/lib/mail/design/schema";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { createCampaign, updateCampaign } from "./campaigns";
import { duplicateCampaign } from "./copies";
import { getCampaign, listCampaigns } from "./read";
import { campaignInput, campaignQuery, campaignUpdate } from "./schema";
import { scheduleCampaign, sendCampaign } from "./transitions";

const database = useTestDatabase();
let ctx: Context;

beforeAll(async () => {
  ({ ctx } = await makeProject(database.db));
});

const two = [{ subject: "What is new" }, { subject: "Three things we built" }];
const news = { name: "November", from: "news@sandbox.test", body: "<p>Hello</p>" };
const create = (abTest: unknown, more: object = {}) =>
  Promise.resolve().then(() =>
    createCampaign(ctx, validate(campaignInput, { ...news, abTest, ...more })),
  );
const update = (id: string, fields: object) =>
  Promise.resolve().then(() => updateCampaign(ctx, id, validate(campaignUpdate, fields)));
const fault = (path: string, message?: unknown) => ({
  code: "VALIDATION_ERROR",
  details: expect.arrayContaining([
    expect.objectContaining(message === undefined ? { path } : { path, message }),
  ]) as unknown,
});

describe("an A/B test that is created", () => {
  test("has the defaults, and the campaign's subject is that of the first variant", async () => {
    const { id } = await create({ variants: two });
    expect(await getCampaign(ctx, id)).toMatchObject({
      subject: "What is new",
      abTest: {
        variants: [
          { subject: "What is new", previewText: null, fromName: null, body: null },
          { subject: "Three things we built", previewText: null, fromName: null, body: null },
        ],
        testPercentage: 20,
        winnerMetric: "opens",
        winnerAfterMinutes: 240,
      },
      abTestPhase: null,
      abTestResult: null,
    });
  });

  test("keeps what it is given, also a subject of the campaign's own that it replaces", async () => {
    const abTest = {
      variants: [
        ...two,
        { subject: "Third", previewText: "Look", fromName: "Ada", body: "<p>Other</p>" },
      ],
      testPercentage: 50,
      winnerMetric: "clicks",
      winnerAfterMinutes: 15,
    };
    const campaign = await create(abTest, { subject: "Another" });
    expect(campaign.subject).toBe("What is new");
    expect(campaign.abTest).toMatchObject(abTest);
    const copy = await duplicateCampaign(ctx, campaign.id);
    expect(copy.abTest).toEqual(campaign.abTest);
  });

  test.each([
    ["one variant", { variants: two.slice(1) }, "abTest.variants"],
    ["six variants", { variants: [...two, ...two, ...two] }, "abTest.variants"],
    ["no variants", { testPercentage: 20 }, "abTest.variants"],
    ["a variant without a subject", { variants: [two[0], {}] }, "abTest.variants[1].subject"],
    ["an empty subject", { variants: [two[0], { subject: " " }] }, "abTest.variants[1].subject"],
    [
      "a line break in a subject",
      { variants: [two[0], { subject: "a\r\nBcc: b@example.com" }] },
      "abTest.variants[1].subject",
    ],
    [
      "Liquid that does not parse",
      { variants: [two[0], { subject: "{{ a" }] },
      "abTest.variants[1].subject",
    ],
    [
      "Liquid that does not parse in a body",
      { variants: [{ subject: "A", body: "{% if %}" }, two[0]] },
      "abTest.variants[0].body",
    ],
    ["a share of 4", { variants: two, testPercentage: 4 }, "abTest.testPercentage"],
    ["a share of 51", { variants: two, testPercentage: 51 }, "abTest.testPercentage"],
    ["half a percent", { variants: two, testPercentage: 10.5 }, "abTest.testPercentage"],
    ["14 minutes", { variants: two, winnerAfterMinutes: 14 }, "abTest.winnerAfterMinutes"],
    ["10081 minutes", { variants: two, winnerAfterMinutes: 10_081 }, "abTest.winnerAfterMinutes"],
    ["replies", { variants: two, winnerMetric: "replies" }, "abTest.winnerMetric"],
    ["an unknown field", { variants: two, percentage: 20 }, "abTest.percentage"],
    [
      "an unknown field of a variant",
      { variants: [two[0], { subject: "B", text: "b" }] },
      "abTest.variants[1].text",
    ],
  ])("is refused with %s, naming the field", async (_, abTest, path) => {
    await expect(create(abTest)).rejects.toMatchObject(fault(path));
  });

  test("takes the ends of each range", async () => {
    for (const [testPercentage, winnerAfterMinutes] of [
      [5, 15],
      [50, 10_080],
    ]) {
      const campaign = await create({ variants: two, testPercentage, winnerAfterMinutes });
      expect(campaign.abTest).toMatchObject({ testPercentage, winnerAfterMinutes });
    }
  });

  test("needs no content of the campaign's where each variant has its own", async () => {
    const variants = two.map(({ subject }) => ({ subject, body: "<p>Own</p>" }));
    const campaign = await create({ variants }, { body: undefined });
    expect(campaign.body).toBeNull();
    await expect(
      create({ variants: [variants[0], two[1]] }, { body: undefined }),
    ).rejects.toMatchObject(fault("body"));
  });
});

describe("a variant that was drawn", () => {
  const design = (words: string) => ({
    type: "doc",
    attrs: { theme: defaultTheme },
    content: [
      {
        type: "paragraph",
        attrs: { align: "left" },
        content: [{ type: "text", text: words, marks: [{ type: "bold" }] }],
      },
    ],
  });
  const drawn = (words: string, more: object = {}) => ({
    ...two[1],
    design: design(words),
    ...more,
  });
  const secondOf = (campaign: Awaited<ReturnType<typeof create>>) => campaign.abTest?.variants[1];

  test("has the HTML that is made from its design, whatever was sent with it", async () => {
    const { id } = await create({ variants: [two[0], drawn("Drawn", { body: "<p>Sent</p>" })] });
    const campaign = await getCampaign(ctx, id);
    expect(secondOf(campaign)?.body).toContain("Drawn");
    expect(secondOf(campaign)?.body).not.toContain("Sent");
    expect(campaign.abTest?.variants[0]).toMatchObject({ body: null, design: null });
    // Each reading gives the keys in their order: the editor compares by it.
    expect(JSON.stringify(secondOf(campaign)?.design)).toBe(JSON.stringify(design("Drawn")));
    expect((await duplicateCampaign(ctx, id)).abTest).toEqual(campaign.abTest);
  });

  test("keeps its design with the same HTML, and loses it with another or with none", async () => {
    const { id } = await create({ variants: [two[0], drawn("Drawn")] });
    const { body, design: kept } = secondOf(await getCampaign(ctx, id)) ?? {};
    const written = async (second: object) =>
      secondOf(await update(id, { abTest: { variants: [two[0], { ...two[1], ...second }] } }));
    expect(await written({ body })).toMatchObject({ body, design: kept });
    expect(await written({ body: "<p>By hand</p>" })).toMatchObject({ design: null });
    expect(await written({ design: kept })).toMatchObject({ body, design: kept });
    expect(await written({})).toMatchObject({ body: null, design: null });
  });

  test("keeps its design where variants are moved or taken out", async () => {
    const sent = async (variants: { body?: string | null }[]) => {
      const bare = variants.map(({ body }, n) => ({ subject: `Subject ${n}`, body: body ?? null }));
      return (await update(id, { abTest: { variants: bare } })).abTest?.variants ?? [];
    };
    const before = [two[0], drawn("Drawn"), drawn("Other"), two[0]];
    const { id, abTest } = await create({ variants: before });
    const [plain = {}, one = {}, other = {}] = abTest?.variants ?? [];
    const designs = (variants: { design?: unknown }[]) => variants.map(({ design: own }) => own);
    expect(designs(await sent([other, plain, one]))).toEqual([
      ...[design("Other"), null, design("Drawn")],
    ]);
    expect(designs(await sent([plain, one]))).toEqual([null, design("Drawn")]);
  });

  test("is refused when it cannot be drawn, or makes too large a body, naming the place", async () => {
    const at = "abTest.variants[1].design";
    const unknown = drawn("", { design: { type: "x" } });
    await expect(create({ variants: [two[0], unknown] })).rejects.toMatchObject(
      fault(`${at}.type`),
    );
    const block = { type: "html", attrs: { html: "x".repeat(500_000) } };
    const large = { ...design(""), content: Array.from({ length: 11 }, () => block) };
    await expect(
      create({ variants: [two[0], drawn("", { design: large })] }),
    ).rejects.toMatchObject(fault(at, "makes a body that is larger than 5 MB"));
  });
});

describe("an A/B test that is changed", () => {
  test("changes what is given, and its variants as a whole", async () => {
    const { id } = await create({ variants: two, winnerMetric: "clicks" });
    const changed = await update(id, { abTest: { testPercentage: 30 } });
    expect(changed.abTest).toMatchObject({
      variants: two,
      testPercentage: 30,
      winnerMetric: "clicks",
    });
    const replaced = await update(id, { abTest: { variants: two.toReversed() } });
    expect(replaced).toMatchObject({
      subject: "Three things we built",
      abTest: { variants: two.toReversed(), testPercentage: 30 },
    });
  });

  test("has the campaign's subject as that of the first variant, whichever is changed", async () => {
    const { id } = await create({ variants: two });
    const changed = await update(id, { subject: "Newer" });
    expect(changed.subject).toBe("Newer");
    expect(changed.abTest?.variants.map(({ subject }) => subject)).toEqual([
      "Newer",
      "Three things we built",
    ]);
  });

  test("ends with null, and begins with an update", async () => {
    const { id } = await create(undefined, { subject: "Plain" });
    await expect(update(id, { abTest: { testPercentage: 30 } })).rejects.toMatchObject(
      fault("abTest.variants", "is required"),
    );
    expect((await update(id, { abTest: { variants: two } })).subject).toBe("What is new");
    const ended = await update(id, { abTest: null });
    expect(ended).toMatchObject({ subject: "What is new", abTest: null });
  });

  test("may be unfinished in a draft that says so, and is not sent then", async () => {
    const { id } = await create(undefined, { subject: "Plain" });
    const variants = [{ subject: "A" }, { subject: "" }];
    await expect(update(id, { abTest: { variants } })).rejects.toMatchObject(
      fault("abTest.variants[1].subject"),
    );
    await update(id, { abTest: { variants }, incomplete: true });
    for (const sent of [
      () => sendCampaign(ctx, id, {}),
      () =>
        scheduleCampaign(ctx, id, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }),
    ]) {
      await expect(sent()).rejects.toMatchObject(fault("abTest.variants[1].subject"));
    }
    await update(id, { name: "Another name" });
  });

  test("stands in no list, which has no content", async () => {
    await create({ variants: two });
    const { data } = await listCampaigns(ctx, campaignQuery.parse({ limit: 1 }));
    expect(data[0]).toMatchObject({ subject: "What is new", abTestPhase: null });
    expect(data[0]).not.toHaveProperty("abTest");
  });
});

describe("what decides an A/B test", () => {
  test.each(["opens", "clicks"])("has to be tracked: %s", async (winnerMetric) => {
    const { id } = await create(
      { variants: two, winnerMetric },
      { tracking: { [winnerMetric]: false } },
    );
    await expect(sendCampaign(ctx, id, {})).rejects.toMatchObject(fault("abTest.winnerMetric"));
    await update(id, { tracking: { [winnerMetric]: true } });
    expect(await sendCampaign(ctx, id, {})).toMatchObject({ result: { status: "SENDING" } });
  });

  test("has to be tracked by the domain, where the campaign leaves it to that", async () => {
    const { id } = await create({ variants: two });
    await database.db.update(domains).set({ trackOpens: false });
    await expect(sendCampaign(ctx, id, {})).rejects.toMatchObject(
      fault("abTest.winnerMetric", "is opens, which this campaign does not track"),
    );
    await database.db.update(domains).set({ trackOpens: true });
  });
});
