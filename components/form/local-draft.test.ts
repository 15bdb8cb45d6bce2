import { beforeEach, expect, test } from "vitest";
import { covers, writingIn } from "./local-draft";

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
/** A tab that has the document open. */
const open = (document = "cmp_1", writer = ann) => writingIn<typeof base>(store, writer, document);

test("only what was changed is kept, with what it was before", () => {
  open().keep(base, { ...base, subject: "Snow" });
  expect(open().read()).toMatchObject({
    base: { subject: "Hello" },
    mine: { subject: "Snow" },
  });
  expect(open("cmp_2").read()).toBeNull();
});

test("writing that was saved or taken back is forgotten", () => {
  const tab = open();
  tab.keep(base, { ...base, subject: "Snow" });
  tab.keep(base, { ...base });
  expect(open().read()).toBeNull();
  tab.keep(base, { ...base, name: "N" });
  tab.forget();
  expect(open().read()).toBeNull();
});

test("a tab forgets what it has read or kept, and nothing that another tab has kept since", () => {
  const [tab, other] = [open(), open()];
  other.keep(base, { ...base, subject: "Unsent" });
  // Saved here: nothing differs any more.
  tab.keep(base, { ...base });
  tab.forget();
  expect(open().read()).toMatchObject({ mine: { subject: "Unsent" } });
  tab.keep(base, { ...base, subject: "Mine" });
  other.keep(base, { ...base, subject: "Theirs" });
  tab.keep(base, { ...base });
  expect(open().read()).toMatchObject({ mine: { subject: "Theirs" } });
  const later = open();
  later.read();
  later.keep(base, { ...base });
  expect(open().read()).toBeNull();
});

test("what cannot be read counts as nothing", () => {
  for (const text of ["", "[", "null", "1", '{"mine":{}}', '{"base":1,"mine":{},"at":""}']) {
    store.setItem("lettermill.writing.usr_ann.cmp_1", text);
    expect(open().read()).toBeNull();
  }
});

test("writing older than a month makes room for new writing, and other entries stay", () => {
  const old = { base: {}, mine: { subject: "Old" }, at: "2020-01-01T00:00:00.000Z" };
  store.setItem("lettermill.writing.usr_ann.cmp_old", JSON.stringify(old));
  store.setItem("theme", "dark");
  open().keep(base, { ...base, subject: "Snow" });
  expect(open("cmp_old").read()).toBeNull();
  expect(store.getItem("theme")).toBe("dark");
  expect(open().read()).not.toBeNull();
});

test("a full store is no error", () => {
  store.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  expect(() => open().keep(base, { ...base, name: "N" })).not.toThrow();
});

test("one person's writing is not another's, on the same browser", () => {
  open().keep(base, { ...base, subject: "Ann's" });
  const bens = open("cmp_1", "usr_ben");
  expect(bens.read()).toBeNull();
  bens.keep(base, { ...base, subject: "Ben's" });
  bens.forget();
  expect(open().read()).toMatchObject({ mine: { subject: "Ann's" } });
});

test("writing that an older release kept for nobody in particular is shown to nobody, and dropped", () => {
  const kept = { base: { name: "a" }, mine: { name: "b" }, at: new Date().toISOString() };
  store.setItem("lettermill.writing.cmp_1", JSON.stringify(kept));
  expect(open().read()).toBeNull();
  open("cmp_2").keep(base, { ...base, name: "N" });
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
