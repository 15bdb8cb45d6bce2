import { afterAll, afterEach, beforeAll } from "vitest";
import type { SMTPServerOptions } from "smtp-server";
import { freePort } from "@/db/embedded/free-port";
import { MxTransport, type MxOptions } from "@/lib/engine/transports/mx/mx-transport";
import { reloadEnv } from "@/lib/ground/env/env";
import { startMailServer, type TestMailServer } from "./delivery";
import { startDnsServer, type DnsServer } from "./dns-server";

/**
 * Receivers' mail servers, on loopback addresses of their own at one port, and DNS that names them.
 */
export function useReceivers() {
  const stops: (() => Promise<void>)[] = [];
  const before = process.env["DNS_SERVERS"];
  let dns: DnsServer;
  let port = 0;
  beforeAll(async () => {
    dns = await startDnsServer();
    process.env["DNS_SERVERS"] = dns.address;
    reloadEnv();
    port = await freePort();
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    dns.clear();
  });
  afterAll(async () => {
    await dns.stop();
    process.env["DNS_SERVERS"] = before;
    reloadEnv();
  });
  return {
    /** What ends after the test, before the servers. */
    stops,
    dns: () => dns,
    port: () => port,
    /** A server at 127.0.0.`last`, or at `address`, under that name in DNS. */
    host: async (
      name: string,
      last: number,
      options: SMTPServerOptions = {},
      address = `127.0.0.${last}`,
    ): Promise<TestMailServer> => {
      dns.addresses(name, address);
      const server = await startMailServer(options, port, address);
      stops.push(() => server.stop());
      return server;
    },
    /** Publishes these hosts as taking the domain's mail, in order of preference. */
    mx: (domain: string, ...exchanges: string[]) => {
      const records = exchanges.map((exchange, index) => ({
        exchange,
        priority: 10 * (index + 1),
      }));
      dns.mx(domain, ...records);
    },
    transport: (options: Partial<MxOptions> = {}): MxTransport => {
      const transport = new MxTransport({
        hostname: "mail.example.net",
        port,
        knownDomains: [],
        ...options,
      });
      stops.unshift(async () => transport.close());
      return transport;
    },
  };
}
