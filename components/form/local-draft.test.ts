import { beforeEach, expect, test } from "vitest";
import { covers, forgetWriting, keepWriting, readWriting } from "./local-draft";

/** The part of localStorage that is used, in memory. */
class MemoryStore {
  private readonly values = new Map<string, string>();
  get length() {
    return this.values.size;
  }
  key = (at: number) => [...this.values.keys()][at] ?? null;
  getItem = (name: string) => this.values.get(name) ?? null;
  setItem = (name: string, value: string) => void this.values.set(name, value);
  removeItem = (name: string) => void this.values.delete(name);
}

const ann = "usr_ann";
let store = new MemoryStore();
beforeEach(() => {
  store = new MemoryStore();
});
const base = { name: "News", subject: "Hello", body: "<p></p>" };

test("only what was changed is kept, with what it was before", () => {
  keepWriting(store, ann, "cmp_1", base, { ...base, subject: "Snow" });
  expect(readWriting(store, ann, "cmp_1")).toMatchObject({
    base: { subject: "Hello" },
    mine: { subject: "Snow" },
  });
  expect(readWriting(store, ann, "cmp_2")).toBeNull();
});

test("writing that was saved or taken back is forgotten", () => {
  keepWriting(store, ann, "cmp_1", base, { ...base, subject: "Snow" });
  keepWriting(store, ann, "cmp_1", base, { ...base });
  expect(readWriting(store, ann, "cmp_1")).toBeNull();
  keepWriting(store, ann, "cmp_1", base, { ...base, name: "N" });
  forgetWriting(store, ann, "cmp_1");
  expect(readWriting(store, ann, "cmp_1")).toBeNull();
});

test("what cannot be read counts as nothing", () => {
  for (const text of ["", "[", "null", "1", '{"mine":{}}', '{"base":1,"mine":{},"at":""}']) {
    store.setItem("lettermill.writing.usr_ann.cmp_1", text);
    expect(readWriting(store, ann, "cmp_1")).toBeNull();
  }
});

test("writing older than a month makes room for new writing, and other entries stay", () => {
  const old = { base: {}, mine: { subject: "Old" }, at: "2020-01-01T00:00:00.000Z" };
  store.setItem("lettermill.writing.usr_ann.cmp_old", JSON.stringify(old));
  store.setItem("theme", "dark");
  keepWriting(store, ann, "cmp_1", base, { ...base, subject: "Snow" });
  expect(readWriting(store, ann, "cmp_old")).toBeNull();
  expect(store.getItem("theme")).toBe("dark");
  expect(readWriting(store, ann, "cmp_1")).not.toBeNull();
});

test("a full store is no error", () => {
  store.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  expect(() => keepWriting(store, ann, "cmp_1", base, { ...base, name: "N" })).not.toThrow();
});

test("one person's writing is not another's, on the same browser", () => {
  keepWriting(store, ann, "cmp_1", base, { ...base, subject: "Ann's" });
  expect(readWriting(store, "usr_ben", "cmp_1")).toBeNull();
  keepWriting(store, "usr_ben", "cmp_1", base, { ...base, subject: "Ben's" });
  forgetWriting(store, "usr_ben", "cmp_1");
  expect(readWriting(store, ann, "cmp_1")).toMatchObject({ mine: { subject: "Ann's" } });
});

test("writing that an older release kept for nobody in particular is shown to nobody, and dropped", () => {
  const kept = { base: { name: "a" }, mine: { name: "b" }, at: new Date().toISOString() };
  store.setItem("lettermill.writing.cmp_1", JSON.stringify(kept));
  expect(readWriting(store, ann, "cmp_1")).toBeNull();
  keepWriting(store, ann, "cmp_2", base, { ...base, name: "N" });
  expect(store.getItem("lettermill.writing.cmp_1")).toBeNull();
});

test("a text covers another that says the same or less, and none that says something else", () => {
  const kept = (mine: Partial<typeof base>) => ({ base: {}, mine, at: "" });
  const chosen = kept({ subject: "Snow", name: "Winter" });
  expect(covers(chosen, kept({ subject: "Snow" }))).toBe(true);
  expect(covers(chosen, kept({ subject: "Snow", name: "Winter" }))).toBe(true);
  expect(covers(chosen, kept({ subject: "Sno" }))).toBe(false);
  expect(covers(chosen, kept({ subject: "Snow", body: "<p>More</p>" }))).toBe(false);
});
