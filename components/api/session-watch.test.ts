import { expect, test } from "vitest";
import { ApiError } from "@/lib/doors/http/client";
import { SessionWatch, type Standing, type Urgency } from "./session-watch";

const sentence = "You are signed in as ben@example.com.";
const signedOut = () => new ApiError(401, "MISSING_AUTH", "Sign in.", [], undefined);
const somebodyElse = () =>
  new ApiError(401, "MISSING_AUTH", sentence, [{ path: "viewer", message: "is not" }], undefined);

/** A server, a page in front of it and a clock. */
function setUp() {
  const server = { who: "ann" as "ann" | "ben" | "nobody" | "barred", requests: 0 };
  const clock = { now: 0 };
  const watch = new SessionWatch(() => clock.now);
  let looks = 0;
  watch.attend(async () => {
    looks += 1;
    const standings: Record<typeof server.who, Standing> = {
      ann: { kind: "in" },
      ben: { kind: "other", sentence },
      nobody: { kind: "out" },
      barred: { kind: "barred" },
    };
    return Promise.resolve(standings[server.who]);
  });
  const send = (urgency: Urgency, signal?: AbortSignal) =>
    watch.run(
      async () => {
        server.requests += 1;
        await Promise.resolve();
        if (server.who === "nobody") throw signedOut();
        if (server.who === "ben") throw somebodyElse();
        return "done";
      },
      urgency,
      signal,
    );
  return { server, clock, watch, send, looks: () => looks };
}

/** Everything that is ready to go on has done so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("whatever meets an ended session waits for one dialog, and is sent again after it", async () => {
  const { server, watch, send } = setUp();
  server.who = "nobody";
  const changes: boolean[] = [];
  watch.subscribe(() => changes.push(watch.getState().asking));
  const sent = (["press", "unasked", "read", "read"] as const).map((urgency) => send(urgency));
  await settle();
  expect(watch.getState()).toEqual({ standing: { kind: "out" }, asking: true });
  expect(changes.every((asking) => asking)).toBe(true);
  expect(server.requests).toBe(4);
  // Nothing is sent while it is known to be refused.
  sent.push(send("read"), send("unasked"));
  await settle();
  expect(server.requests).toBe(4);
  let returned = 0;
  watch.onReturn(() => (returned += 1));
  server.who = "ann";
  await watch.check();
  expect(await Promise.all(sent)).toEqual(Array<string>(6).fill("done"));
  expect(returned).toBe(1);
  expect(watch.getState()).toEqual({ standing: { kind: "in" }, asking: false });
});

test("put aside, changes fail and say so, reads wait in silence, and the next press asks again", async () => {
  const { server, clock, watch, send } = setUp();
  server.who = "nobody";
  const change = send("press");
  const read = send("read");
  await settle();
  watch.putAside();
  await expect(change).rejects.toThrow("You were signed out, so this was not done.");
  await expect(send("unasked")).rejects.toThrow("What you wrote is saved once you sign in.");
  const before = server.requests;
  const later = send("read");
  await settle();
  expect(watch.getState().asking).toBe(false);
  expect(server.requests).toBe(before);

  const again = send("press");
  await settle();
  expect(watch.getState().asking).toBe(true);
  server.who = "ann";
  await watch.check();
  expect(await Promise.all([read, later, again])).toEqual(["done", "done", "done"]);

  // What a press of a button looks up asks as well; what follows later does not.
  server.who = "nobody";
  const lookedUp = [send("read")];
  await settle();
  watch.putAside();
  watch.press();
  clock.now += 1_000;
  lookedUp.push(send("read"));
  await settle();
  expect(watch.getState().asking).toBe(false);
  watch.press();
  lookedUp.push(send("read"));
  await settle();
  expect(watch.getState().asking).toBe(true);
  server.who = "ann";
  await watch.check();
  await Promise.all(lookedUp);
});

test("a press finds by itself that the viewer has signed in elsewhere", async () => {
  const { server, watch, send } = setUp();
  server.who = "nobody";
  const read = send("read");
  await settle();
  watch.putAside();
  server.who = "ann";
  expect(await send("press")).toBe("done");
  expect(await read).toBe("done");
});

test("nothing is sent for somebody else, or for a viewer who may not open the project any more", async () => {
  const { server, watch, send } = setUp();
  server.who = "nobody";
  const change = send("press");
  await settle();
  server.who = "ben";
  await watch.check();
  expect(watch.getState()).toEqual({ standing: { kind: "other", sentence }, asking: true });
  watch.putAside();
  await expect(change).rejects.toThrow("so this was not done");
  await watch.check();
  expect(watch.getState().asking).toBe(false);
  server.who = "barred";
  await watch.check();
  expect(watch.getState()).toEqual({ standing: { kind: "barred" }, asking: true });
  expect(server.requests).toBe(1);
  server.who = "ann";
  await watch.check();
  expect(await send("press")).toBe("done");
});

test("somebody else's session is met by the very request that they would have signed", async () => {
  const { server, watch, send } = setUp();
  server.who = "ben";
  const change = send("press");
  await settle();
  expect(watch.getState().standing).toEqual({ kind: "other", sentence });
  watch.putAside();
  await expect(change).rejects.toThrow();
});

test("a refusal that arrives late does not ask again", async () => {
  const { watch } = setUp();
  let refuse: (error: unknown) => void = () => undefined;
  let sent = 0;
  const late = watch.run(() => {
    sent += 1;
    return sent === 1
      ? new Promise((_, reject) => (refuse = reject))
      : Promise.resolve("sent again");
  }, "read");
  let refusals = 0;
  const first = watch.run(() => {
    refusals += 1;
    return refusals === 1 ? Promise.reject(signedOut()) : Promise.resolve("done");
  }, "read");
  await settle();
  await watch.check();
  expect(await first).toBe("done");
  refuse(signedOut());
  expect(await late).toBe("sent again");
  expect(watch.getState()).toEqual({ standing: { kind: "in" }, asking: false });
});

test("what is no longer wanted stops waiting; other errors, and pages without the dialog, fail as before", async () => {
  const { server, watch, send } = setUp();
  server.who = "nobody";
  const stop = new AbortController();
  const read = send("read", stop.signal);
  await settle();
  stop.abort(new Error("no longer wanted"));
  await expect(read).rejects.toThrow("no longer wanted");

  const fault = new ApiError(500, "INTERNAL_ERROR", "Broken.", [], undefined);
  await expect(new SessionWatch().run(() => Promise.reject(signedOut()), "press")).rejects.toThrow(
    "Sign in.",
  );
  server.who = "ann";
  await watch.check();
  await expect(watch.run(() => Promise.reject(fault), "press")).rejects.toBe(fault);
});
