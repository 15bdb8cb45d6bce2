import { expect, test } from "vitest";
import { keepTrying, WorkLoop, type Queue } from "./work-loop";

/** A queue of `due` items of which `room` are claimed at a time; they are settled by hand. */
function queueOf(due: number, room: number) {
  const state = { due, held: 0, claims: 0 };
  const queue: Queue = {
    claim: () => {
      state.claims++;
      const count = Math.min(state.due, room - state.held);
      state.due -= count;
      state.held += count;
      return Promise.resolve(state.due > 0);
    },
    hungry: () => state.held < room,
    held: () => state.held,
  };
  const loop = new WorkLoop(queue);
  const settle = () => {
    state.held--;
    loop.settled(true);
  };
  return { state, loop, settle };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("claims as much as there is room for, and more as soon as some is settled", async () => {
  const { state, loop, settle } = queueOf(5, 2);
  const running = loop.run(AbortSignal.timeout(60_000), { untilEmpty: true });
  await turn();
  expect(state).toMatchObject({ due: 3, held: 2, claims: 1 });
  settle();
  await turn();
  expect(state).toMatchObject({ due: 2, held: 2, claims: 2 });
  for (let left = 4; left > 0; left--) {
    settle();
    await turn();
  }
  await running;
  expect(state).toMatchObject({ due: 0, held: 0 });
});

test("an abort ends it with what is held still held, and draining waits for that", async () => {
  const { state, loop, settle } = queueOf(2, 2);
  const stop = new AbortController();
  const running = loop.run(stop.signal);
  await turn();
  stop.abort();
  await running;
  expect(state.held).toBe(2);
  let drained = false;
  const draining = loop.drain(60).then(() => (drained = true));
  settle();
  await turn();
  expect(drained).toBe(false);
  settle();
  await draining;
});

test("draining has an end", async () => {
  const { state, loop } = queueOf(1, 1);
  const stop = new AbortController();
  const running = loop.run(stop.signal);
  await turn();
  stop.abort();
  await running;
  await loop.drain(0.02);
  expect(state.held).toBe(1);
});

test("what fails is done again, as often as it may be", async () => {
  let calls = 0;
  await keepTrying(() => (++calls < 2 ? Promise.reject(new Error("away")) : Promise.resolve()), 3);
  expect(calls).toBe(2);
  await expect(keepTrying(() => Promise.reject(new Error("away")), 1)).rejects.toThrow("away");
});
