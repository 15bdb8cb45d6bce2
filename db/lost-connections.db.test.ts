import { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
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
