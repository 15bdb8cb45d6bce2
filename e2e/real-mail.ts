import { startMailServer, type TestMailServer } from "@/lib/testing/delivery";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { test as base } from "./fixtures";
import { startProduct, type Product } from "./product";

/** A product that sends through a real SMTP server and looks names up at a real DNS server. */
export const test = base.extend<
  object,
  { dns: DnsServer; mailServer: TestMailServer; sender: Product }
>({
  dns: [
    async ({}, use) => {
      const dns = await startDnsServer();
      await use(dns);
      await dns.stop();
    },
    { scope: "worker" },
  ],
  mailServer: [
    async ({}, use) => {
      const server = await startMailServer();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  sender: [
    async ({ dns, mailServer }, use) => {
      const product = await startProduct({
        MAIL_TRANSPORT: mailServer.url,
        DNS_SERVERS: dns.address,
        SENDING_IPS: "127.0.0.1",
        MAIL_HOSTNAME: "mx.lettermill.example",
      });
      await use(product);
      await product.remove();
    },
    { scope: "worker", timeout: 180_000 },
  ],
});
