import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Stands between the product and its Postgres, so that a test can take the database away. */
export interface DatabaseProxy {
  /** The database's address through the proxy. */
  url: string;
  /** Cuts every connection and accepts no more. */
  leave(): void;
  /** Lets `messages` more of the product's messages through, then leaves; the rest is never sent. */
  leaveAfter(messages: number): void;
  /** Holds the database's answers on existing connections until the returned function is called. */
  holdAnswers(): () => void;
  comeBack(): void;
  /** Leads to another server from now on; connections to the one before are cut. */
  leadTo(databaseUrl: string): void;
  stop(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl);
  const open = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  let away = false;
  let left = Infinity;
  const leave = () => {
    away = true;
    for (const socket of open) socket.resetAndDestroy();
  };
  const server = createServer((client) => {
    if (away) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (left-- <= 0) leave();
      else upstream.write(chunk);
    });
    pairs.set(upstream, client);
    upstream.once("close", () => pairs.delete(upstream));
    upstream.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    leave,
    leaveAfter: (messages) => (left = messages),
    holdAnswers: () => {
      const held = [...pairs];
      for (const [upstream, client] of held) upstream.unpipe(client).pause();
      return () => {
        for (const [upstream, client] of held) upstream.pipe(client);
      };
    },
    comeBack: () => {
      away = false;
      left = Infinity;
    },
    leadTo: (other) => {
      leave();
      target = new URL(other);
      away = false;
    },
    stop: async () => {
      leave();
      server.close();
      await once(server, "close");
    },
  };
}
