import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach } from "vitest";
import type { TestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "./index";
import { dispatchDue, startMailServer, verifiedDomain, type TestMailServer } from "./delivery";
import { parseSmtpUrl } from "@/lib/mail/smtp-server-url";
import type { PoolTimes } from "@/lib/engine/transports/smtp-client/session-pool";
import { SmtpTransport } from "@/lib/engine/transports/smtp-client/smtp-transport";

export function smtpTransport(url: string, times: Partial<PoolTimes> = {}): SmtpTransport {
  return new SmtpTransport(parseSmtpUrl(url, "mail.example.net"), times);
}

/** Mail servers that stop with their test, and senders whose domain is verified. Call at the top level. */
export function useMailServers(database: TestDatabase) {
  const stops: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  return {
    /** What ends after the test. */
    stops,
    sender: async (): Promise<{
      ctx: Context;
      key: Awaited<ReturnType<typeof verifiedDomain>>;
      domain: string;
    }> => {
      const { ctx, projectId } = await makeProject(database.db);
      const domain = `d${Math.random().toString(36).slice(2)}.example.com`;
      return { ctx, domain, key: await verifiedDomain(database.db, projectId, domain) };
    },
    mailServer: async (...options: Parameters<typeof startMailServer>): Promise<TestMailServer> => {
      const server = await startMailServer(...options);
      stops.push(() => server.stop());
      return server;
    },
    dispatch: (url: string) => dispatchDue({ db: database.db, transport: smtpTransport(url) }),
  };
}

/** Stands before a server and can forget its connections: they stay open, and nothing passes. */
export async function deadlyGate(port: number) {
  const passing = new Set<{ client: Socket; upstream: Socket }>();
  const gate = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const pair = { client, upstream };
    passing.add(pair);
    client.pipe(upstream);
    upstream.pipe(client);
    for (const socket of [client, upstream]) {
      socket.on("error", () => {});
      // One that broke off does not end what it was piped to: the server would wait for its client for ever.
      socket.on("close", () => {
        if (passing.delete(pair)) for (const end of [client, upstream]) end.destroySoon();
      });
    }
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  const forgotten: Socket[] = [];
  return {
    port: (gate.address() as AddressInfo).port,
    sockets: () => passing.size,
    silence: () => {
      for (const { client, upstream } of passing) {
        client.unpipe();
        upstream.unpipe();
        client.resume();
        forgotten.push(client, upstream);
      }
      passing.clear();
    },
    stop: () => {
      for (const { client, upstream } of passing) forgotten.push(client, upstream);
      for (const socket of forgotten) socket.destroy();
      gate.close();
    },
  };
}
