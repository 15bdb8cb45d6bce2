import { expect, test } from "vitest";
import { abTestDefaults } from "@/lib/domain/ab-tests/terms";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import { defaultTheme } from "@/lib/mail/design/schema";
import { differencesOf, stepsOf, toDraft, toUpdate, type Draft } from "./draft";
import { noVariant } from "./variants";

const empty = {
  name: "News",
  subject: "",
  previewText: "",
  from: "",
  fromName: "",
  replyTo: null,
  body: null,
  design: null,
  templateId: null,
  segmentId: null,
  listId: null,
  topicId: null,
  tracking: { opens: null, clicks: false },
  utm: null,
  abTest: null,
} as unknown as Campaign;
const open = (draft: ReturnType<typeof toDraft>) =>
  stepsOf(draft, ["example.com"]).flatMap(({ id, todo }) => (todo ? [id] : []));

const every = Object.keys(toDraft(empty)) as (keyof Draft)[];

test("an empty draft saves as it came, and lacks sender, subject and content", () => {
  const draft = toDraft(empty);
  expect(toUpdate(draft, every)).toEqual({
    incomplete: true,
    name: "News",
    subject: "",
    previewText: "",
    from: null,
    fromName: "",
    replyTo: null,
    body: null,
    design: null,
    templateId: null,
    segmentId: null,
    listId: null,
    topicId: null,
    tracking: { opens: null, clicks: false },
    utm: null,
    personalTime: null,
    sendBefore: null,
    abTest: null,
  });
  expect(open(draft)).toEqual(["sender", "subject", "content"]);
});

test("a step is done when nothing is left to choose in it", () => {
  const draft = {
    ...toDraft(empty),
    subject: "Hello",
    from: "News@Example.com",
    body: "<p>Hello</p>",
  };
  expect(open(draft)).toEqual([]);
  expect(open({ ...draft, from: "news@sub.example.com" })).toEqual(["sender"]);
  expect(open({ ...draft, audience: "segment" })).toEqual(["audience"]);
  expect(open({ ...draft, audience: "list", listId: "lst_1" })).toEqual([]);
  expect(open({ ...draft, content: "template" })).toEqual(["content"]);
});

test("only the chosen audience and content are saved", () => {
  const draft = {
    ...toDraft(empty),
    segmentId: "seg_1",
    listId: "lst_1",
    templateId: "tpl_1",
    body: "<p>Kept</p>",
  };
  expect(toUpdate(draft, every)).toMatchObject({ segmentId: null, listId: null, templateId: null });
  expect(toUpdate({ ...draft, audience: "list" }, ["audience"])).toMatchObject({
    segmentId: null,
    listId: "lst_1",
  });
  const template = toUpdate({ ...draft, content: "template" }, ["content"]);
  expect(template.templateId).toBe("tpl_1");
  expect(template).not.toHaveProperty("body");
});

test("only what was changed is saved, and whole where it means something only together", () => {
  const draft = { ...toDraft(empty), subject: "Snow", from: "a@example.com", fromName: "Ada" };
  expect(toUpdate(draft, ["subject"])).toEqual({ incomplete: true, subject: "Snow" });
  expect(toUpdate(draft, ["from"])).toEqual({
    incomplete: true,
    from: "a@example.com",
    fromName: "Ada",
  });
  expect(toUpdate({ ...draft, opens: "on" }, ["opens"])).toEqual({
    incomplete: true,
    tracking: { opens: true },
  });
});

test("a step in which the server refuses something is not done", () => {
  const draft = {
    ...toDraft(empty),
    subject: "Hello {{ firstName | nosuch }}",
    from: "news@example.com",
    body: "<p>Hello</p>",
  };
  const open = (refused: string) =>
    stepsOf(draft, ["example.com"], (field) => field === refused).flatMap(({ id, todo }) =>
      todo ? [id] : [],
    );
  expect(open("subject")).toEqual(["subject"]);
  expect(open("previewText")).toEqual(["subject"]);
  expect(open("body")).toEqual(["content"]);
  expect(open("replyTo")).toEqual(["sender"]);
  expect(open("name")).toEqual([]);
});

test("both texts of a conflict are shown in words, where they differ", () => {
  const mine = { ...toDraft(empty), audience: "list" as const, listId: "lst_1", utm: true };
  const theirs = { ...mine, listId: "", utm: false };
  const name = (id: string) => (id === "lst_1" ? "The weekly letter" : id);
  expect(differencesOf(["audience", "listId", "utm"], mine, theirs, name)).toEqual([
    { label: "List", mine: "The weekly letter", theirs: "" },
    { label: "UTM parameters", mine: "yes", theirs: "no" },
  ]);
});

test("an A/B test is saved whole, its first subject being the campaign's", () => {
  const abTest = {
    variants: [
      { subject: "One", previewText: "Own", fromName: null, body: null, design: null },
      { subject: "Two", previewText: null, fromName: "Ada", body: "<p>Two</p>", design: null },
    ],
    testPercentage: 33,
    winnerMetric: "clicks" as const,
    winnerAfterMinutes: 90,
  };
  const draft = toDraft({ ...empty, subject: "One", abTest });
  expect(toUpdate(draft, ["variants"])).toEqual({ incomplete: true, abTest });
  expect(toUpdate({ ...draft, subject: "Eins" }, ["subject"])).toEqual({
    incomplete: true,
    subject: "Eins",
  });
  expect(toUpdate({ ...draft, abTest: false }, ["abTest"])).toEqual({
    incomplete: true,
    abTest: null,
  });
});

test("a variant that was drawn is saved as its design, from which the server makes the HTML", () => {
  const design = { type: "doc", attrs: { theme: defaultTheme }, content: [] };
  const variant = { subject: "Two", previewText: null, fromName: null, body: "<p>Two</p>", design };
  const abTest = { ...abTestDefaults, variants: [{ ...variant, subject: "One" }, variant] };
  const { abTest: saved } = toUpdate(toDraft({ ...empty, subject: "One", abTest }), ["variants"]);
  expect(saved?.variants?.[1]).toEqual({
    subject: "Two",
    previewText: null,
    fromName: null,
    design,
  });
});

test("a conflict of variants shows whatever they say in place of the campaign", () => {
  const mine = { ...toDraft(empty), variants: [noVariant, { ...noVariant, subject: "Two" }] };
  const theirs = { ...mine, variants: [noVariant, { ...noVariant, subject: "Two", body: "Hi" }] };
  expect(differencesOf(["variants"], mine, theirs, String)).toEqual([
    { label: "A/B variants", mine: "Two", theirs: "Two\nHi" },
  ]);
});

test("a step with an A/B test is done when each subject is written and what decides is counted", () => {
  const todo = (part: Partial<Draft>) =>
    stepsOf({ ...toDraft(empty), subject: "One", abTest: true, ...part }, ["example.com"]).find(
      ({ id }) => id === "subject",
    )?.todo;
  const variants = ["", "Two", "Three"].map((subject) => ({ ...noVariant, subject }));
  expect(todo({ variants })).toBeNull();
  expect(todo({ variants: [...variants, noVariant] })).toBe("Write subject D");
  expect(todo({ variants, winnerMetric: "clicks" })).toBe("Count clicks, which decide the test");
  expect(todo({ variants, winnerMetric: "clicks", clicks: "on" })).toBeNull();
  expect(todo({ variants: [...variants, noVariant], abTest: false })).toBeNull();
});
