import { expect, test } from "vitest";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import { stepsOf, toDraft, toUpdate } from "./draft";

const empty = {
  name: "News",
  subject: "",
  previewText: "",
  from: "",
  fromName: "",
  replyTo: null,
  body: null,
  templateId: null,
  segmentId: null,
  listId: null,
  tracking: { opens: null, clicks: false },
  utm: null,
} as unknown as Campaign;
const open = (draft: ReturnType<typeof toDraft>) =>
  stepsOf(draft, ["example.com"]).flatMap(({ id, todo }) => (todo ? [id] : []));

test("an empty draft saves as it came, and lacks sender, subject and content", () => {
  const draft = toDraft(empty);
  expect(toUpdate(draft)).toEqual({
    incomplete: true,
    name: "News",
    subject: "",
    previewText: "",
    from: null,
    fromName: "",
    replyTo: null,
    body: null,
    templateId: null,
    segmentId: null,
    listId: null,
    tracking: { opens: null, clicks: false },
    utm: null,
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
  expect(toUpdate(draft)).toMatchObject({ segmentId: null, listId: null, templateId: null });
  expect(toUpdate({ ...draft, audience: "list" })).toMatchObject({
    segmentId: null,
    listId: "lst_1",
  });
  const template = toUpdate({ ...draft, content: "template" });
  expect(template.templateId).toBe("tpl_1");
  expect(template).not.toHaveProperty("body");
});
