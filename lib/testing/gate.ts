import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * Stands before a server and can be shut: connections break, and none get through until it opens.
 */
export async function openGate(port: number) {
  const sockets = new Set<Socket>();
  let shut = false;
  const gate = createServer((client) => {
    sockets.add(client);
    if (shut) {
      client.destroy();
      sockets.delete(client);
      return;
    }
    const upstream = connect(port, "127.0.0.1");
    sockets.add(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  return {
    port: (gate.address() as AddressInfo).port,
    shut: () => {
      shut = true;
      for (const socket of sockets) socket.destroy();
    },
    open: () => {
      shut = false;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      gate.close();
    },
  };
}
