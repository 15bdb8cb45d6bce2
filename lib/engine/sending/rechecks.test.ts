import { expect, test, vi, beforeEach, afterEach } from "vitest";
import type { ClaimedEmail } from "./claim";
import { Rechecks } from "./rechecks";
import type { Held } from "./waiting";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const held = (id: string, campaignId: string | null = "a campaign"): Held => ({
  email: { id, campaignId } as ClaimedEmail,
  checkedAt: performance.now(),
  lane: "campaign",
});

/** What was asked, and who is not to get mail. */
function scene() {
  const asked: string[][] = [];
  const gone = new Set<string>();
  const state = { pausedAt: -Infinity, answer: (): Promise<void> => Promise.resolve() };
  const rechecks = new Rechecks({
    ask: async (emails) => {
      asked.push(emails.map(({ id }) => id));
      await state.answer();
      return new Set(emails.map(({ id }) => id).filter((id) => !gone.has(id)));
    },
    campaignPausedAt: () => state.pausedAt,
  });
  return { rechecks, asked, gone, state };
}

test("what was claimed a moment ago goes, and mail of no campaign two seconds later as well", async () => {
  const { rechecks, asked, state } = scene();
  const [fresh, own] = [held("fresh"), held("own", null)];
  vi.advanceTimersByTime(400);
  expect(await rechecks.mayGo(fresh)).toBe(true);
  vi.advanceTimersByTime(1_500);
  state.pausedAt = performance.now();
  expect(await rechecks.mayGo(own)).toBe(true);
  expect(asked).toEqual([]);
});

test("mail of no campaign that a slow server kept waiting is asked about, with all else that is old", async () => {
  const { rechecks, asked, gone } = scene();
  const [own, late, other] = [held("own", null), held("late", null), held("campaign's")];
  for (const mail of [own, late, other]) rechecks.add(mail);
  gone.add("late");
  vi.advanceTimersByTime(2_100);
  const recent = held("recent", null);
  rechecks.add(recent);
  vi.advanceTimersByTime(400);
  expect(await rechecks.mayGo(own)).toBe(true);
  expect(await rechecks.mayGo(late)).toBe(false);
  expect(await rechecks.mayGo(other)).toBe(true);
  expect(asked).toEqual([["own", "late", "campaign's"]]);
});

test("all that waits is asked about at once, and again when half a second has passed", async () => {
  const { rechecks, asked, gone } = scene();
  const [first, second, third, fourth] = ["1", "2", "3", "4"].map((id) => held(id)) as [
    Held,
    Held,
    Held,
    Held,
  ];
  for (const mail of [first, second, third, fourth]) rechecks.add(mail);
  rechecks.drop(fourth);
  gone.add("2");
  vi.advanceTimersByTime(600);
  expect(await Promise.all([first, second].map((one) => rechecks.mayGo(one)))).toEqual([
    true,
    false,
  ]);
  expect(await rechecks.mayGo(third)).toBe(true);
  expect(asked).toEqual([["1", "2", "3"]]);
  rechecks.add(third);
  vi.advanceTimersByTime(600);
  gone.add("3");
  expect(await rechecks.mayGo(third)).toBe(false);
  // What may go is not asked about any more: it may be on its way.
  expect(asked).toEqual([["1", "2", "3"], ["3"]]);
});

test("who comes while the others are asked about is asked about next, however long that takes", async () => {
  const { rechecks, asked, state } = scene();
  const [first, late] = [held("1"), held("late")];
  vi.advanceTimersByTime(600);
  const answers: (() => void)[] = [];
  state.answer = () => new Promise((resolve) => answers.push(resolve));
  const may = [rechecks.mayGo(first), rechecks.mayGo(late)];
  vi.advanceTimersByTime(5_000);
  answers[0]!();
  expect(await may[0]).toBe(true);
  expect(asked).toEqual([["1"], ["late"]]);
  vi.advanceTimersByTime(5_000);
  answers[1]!();
  expect(await may[1]).toBe(true);
  expect(asked).toHaveLength(2);
});

test("a campaign that was paused after the last look is looked at again", async () => {
  const { rechecks, asked, gone, state } = scene();
  const mail = held("1");
  vi.advanceTimersByTime(10);
  state.pausedAt = performance.now();
  gone.add("1");
  vi.advanceTimersByTime(1);
  expect(await rechecks.mayGo(mail)).toBe(false);
  expect(asked).toEqual([["1"]]);
});

test("a database that is away is told to who asked, and the next one asks again", async () => {
  const { rechecks, asked, state } = scene();
  const [first, second] = [held("1"), held("2")];
  vi.advanceTimersByTime(600);
  state.answer = () => Promise.reject(new Error("away"));
  await expect(rechecks.mayGo(first)).rejects.toThrow("away");
  rechecks.drop(first);
  state.answer = () => Promise.resolve();
  expect(await rechecks.mayGo(second)).toBe(true);
  expect(asked).toEqual([["1"], ["2"]]);
});
