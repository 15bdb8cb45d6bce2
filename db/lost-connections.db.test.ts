import { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { startDatabaseProxy } from "@/lib/testing/database-proxy";
import { openClient } from "./client";
import { useTestDatabase } from "./testing";

const database = useTestDatabase();

/** The sockets of this process that are connected to a port. */
function socketsTo(port: number): Socket[] {
  return (process as unknown as { _getActiveHandles(): unknown[] })
    ._getActiveHandles()
    .filter((handle): handle is Socket => handle instanceof Socket && handle.remotePort === port);
}

test("a connection that is lost while a statement waits to be written works again at once", async () => {
  const proxy = await startDatabaseProxy(database.url);
  const client = openClient(proxy.url, { max: 1 });
  try {
    await client`select 1`;
    const [socket] = socketsTo(Number(new URL(proxy.url).port));
    if (!socket) throw new Error("There is no connection.");
    // What is written in this phase of the event loop leaves in the next one: the socket closes before.
    await nextTurn();
    const lost = client`select 2`.execute();
    await Promise.resolve();
    socket.destroy();
    await expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    const started = performance.now();
    for (const number of [3, 4, 5]) {
      expect(await client`select ${number}::int as number`).toEqual([{ number }]);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  } finally {
    await client.end({ timeout: 1 });
    await proxy.stop();
  }
}, 60_000);

test("a connection that is lost while it is being opened costs its statement, and never the process", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const proxy = await startDatabaseProxy(database.url);
  try {
    // Start-up, both parts of the login, the types, the statement.
    for (let messages = 0; messages < 5; messages++) {
      const client = openClient(proxy.url, { max: 1, name: "lost" });
      proxy.leaveAfter(messages);
      await expect(client`select 1`).rejects.toMatchObject({
        code: expect.stringMatching(/^E?CONN/),
      });
      proxy.comeBack();
      await client.end({ timeout: 0 });
    }
    await nextTurn();
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
    await proxy.stop();
  }
}, 60_000);

test("statements begun as a connection is lost are refused at once, and later ones get their own answers", async () => {
  const client = openClient(database.url, { max: 1, name: "lost" });
  try {
    await client`select 1`;
    const [socket] = socketsTo(Number(new URL(database.url).port)).slice(-1);
    if (!socket) throw new Error("There is no connection.");
    const under = client`select pg_sleep(20)`.execute();
    await nextTurn();
    socket.destroy(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
    // The socket has said that it failed, and not yet that it is closed.
    await expect(under).rejects.toMatchObject({ code: "ECONNRESET" });
    const begun = [2, 3].map((number) => client.unsafe(`select ${number} as number`).execute());
    const outcomes = await Promise.race([
      Promise.allSettled(begun),
      setTimeout(5_000, "nothing", { ref: false }),
    ]);
    expect(outcomes).toMatchObject([
      { reason: { code: "CONNECTION_CLOSED" } },
      { reason: { code: "CONNECTION_CLOSED" } },
    ]);
    for (const number of [4, 5, 6]) {
      expect(await client`select ${number}::int as number`).toEqual([{ number }]);
    }
  } finally {
    await client.end({ timeout: 1 });
  }
}, 60_000);
