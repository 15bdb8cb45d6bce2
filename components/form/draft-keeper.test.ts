import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DraftKeeper } from "./draft-keeper";
import type { KeptWriting } from "./local-draft";

interface Draft {
  name: string;
  subject: string;
}
const base: Draft = { name: "News", subject: "Hi" };
const stale = new Error("stale");
const away = new Error("away");

/** A server with one draft, as others see it. */
class Server {
  draft: KeptWriting<Draft> | null = null;
  calls: string[] = [];
  fails: Error | null = null;
  private time = 0;

  write(mine: Partial<Draft>): string {
    this.draft = { base: {}, mine, at: `t${++this.time}` };
    return this.draft.at;
  }
  private check(call: string, basedOn: string | null) {
    this.calls.push(call);
    if (this.fails) throw this.fails;
    if (basedOn !== (this.draft?.at ?? null)) throw stale;
  }
  keep = async (changes: Partial<Draft>, _: number, basedOn: string | null) => {
    await Promise.resolve();
    this.check(`keep ${JSON.stringify(changes)}`, basedOn);
    return this.write(changes);
  };
  forget = async (basedOn: string) => {
    await Promise.resolve();
    this.check("forget", basedOn);
    this.draft = null;
  };
  read = () => Promise.resolve(this.draft);
  isStale = (error: unknown) => error === stale;
  isPassing = (error: unknown) => error === away;
}

let server: Server;
const settle = () => vi.advanceTimersByTimeAsync(0);
const writing = (part: Partial<Draft>, from = base) => ({
  base: from,
  draft: { ...from, ...part },
  fromVersion: 1,
});

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
});
afterEach(() => {
  vi.useRealTimers();
});

test("keeps what was changed, one request at a time, and forgets it once it is saved", async () => {
  const keeper = new DraftKeeper<Draft>(server, null, base);
  keeper.note(writing({}));
  await settle();
  expect(server.calls).toEqual([]);
  keeper.note(writing({ subject: "A" }));
  expect(keeper.getState().status).toBe("keeping");
  keeper.note(writing({ subject: "AB" }));
  keeper.note(writing({ subject: "ABC" }));
  await settle();
  expect(server.calls).toEqual(['keep {"subject":"A"}', 'keep {"subject":"ABC"}']);
  expect(keeper.getState()).toEqual({ status: "kept", offered: null });
  keeper.note(writing({}, { ...base, subject: "ABC" }));
  await settle();
  expect(server.draft).toBeNull();
  expect(keeper.getState().status).toBe("nothing");
});

test("offers what is there first, and replaces it only once that is decided", async () => {
  server.write({ subject: "From the laptop" });
  const keeper = new DraftKeeper<Draft>(server, server.draft, base);
  expect(keeper.getState().offered?.mine).toEqual({ subject: "From the laptop" });
  keeper.note(writing({ name: "Typed meanwhile" }));
  await settle();
  expect(server.calls).toEqual([]);
  keeper.restored();
  keeper.note(writing({ name: "Typed meanwhile", subject: "From the laptop" }));
  await settle();
  expect(server.draft?.mine).toEqual({ name: "Typed meanwhile", subject: "From the laptop" });
});

test("what is discarded is forgotten, or replaced by what is written here", async () => {
  server.write({ subject: "Old" });
  const keeper = new DraftKeeper<Draft>(server, server.draft, base);
  keeper.note(writing({}));
  keeper.discard();
  await settle();
  expect(server.draft).toBeNull();

  server.write({ subject: "Old" });
  const other = new DraftKeeper<Draft>(server, server.draft, base);
  other.note(writing({ subject: "New" }));
  other.discard();
  await settle();
  expect(server.draft?.mine).toEqual({ subject: "New" });
});

test("a draft that says what is saved by now is not offered, but forgotten", async () => {
  server.write({ subject: "Hi" });
  const keeper = new DraftKeeper<Draft>(server, server.draft, base);
  expect(keeper.getState().offered).toBeNull();
  keeper.note(writing({}));
  await settle();
  expect(server.draft).toBeNull();
});

test("another tab's text is offered instead of being replaced", async () => {
  const keeper = new DraftKeeper<Draft>(server, null, base);
  server.write({ name: "Other tab" });
  keeper.note(writing({ subject: "Mine" }));
  await settle();
  expect(server.draft?.mine).toEqual({ name: "Other tab" });
  expect(keeper.getState().offered?.mine).toEqual({ name: "Other tab" });
});

test("where the other tab has nothing more to say, the text is kept after all", async () => {
  const keeper = new DraftKeeper<Draft>(server, null, base);
  server.write({ subject: "Mine" });
  keeper.note(writing({ subject: "Mine", name: "More" }));
  // The same text is no news, less of it neither.
  server.write({ name: "More" });
  await settle();
  expect(server.draft?.mine).toEqual({ subject: "Mine", name: "More" });
  // Saved in the other tab meanwhile.
  server.draft = null;
  keeper.note(writing({ subject: "Mine too" }));
  await settle();
  expect(server.draft).toMatchObject({ mine: { subject: "Mine too" } });
});

test("a server that is away is asked again, one that refuses is not", async () => {
  const keeper = new DraftKeeper<Draft>(server, null, base);
  server.fails = away;
  keeper.note(writing({ subject: "A" }));
  await settle();
  expect(keeper.getState().status).toBe("failed");
  server.fails = null;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keeper.getState().status).toBe("kept");
  server.fails = new Error("too large");
  keeper.note(writing({ subject: "B" }));
  await settle();
  const asked = server.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.calls).toHaveLength(asked);
  expect(keeper.getState().status).toBe("failed");
  server.fails = stale;
  keeper.note(writing({ subject: "C" }));
  await settle();
  expect(keeper.getState().status).toBe("failed");
});

test("while it is undecided what is saved, the draft stays as it was", async () => {
  server.write({ subject: "From version 4" });
  const keeper = new DraftKeeper<Draft>(server, server.draft, base);
  keeper.note(writing({ name: "Typed meanwhile" }));
  keeper.pause(true);
  keeper.restored();
  keeper.note(writing({ subject: "From version 4" }));
  keeper.retry();
  await settle();
  expect(server.calls).toEqual([]);
  keeper.pause(false);
  keeper.note(writing({ subject: "Decided" }));
  await settle();
  expect(server.calls).toEqual(['keep {"subject":"Decided"}']);
});

test("what was refused is tried again when asked to, such as after signing in", async () => {
  const keeper = new DraftKeeper<Draft>(server, null, base);
  keeper.retry();
  server.fails = new Error("signed out");
  keeper.note(writing({ subject: "A" }));
  await settle();
  expect(keeper.getState().status).toBe("failed");
  server.fails = null;
  keeper.retry();
  await settle();
  expect(server.draft?.mine).toEqual({ subject: "A" });
  expect(keeper.getState().status).toBe("kept");
});
