import { createServer } from "node:net";
import { startMailServer, type TestMailServer } from "@/lib/testing/delivery";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { expect, test } from "./fixtures";
import { callApi, startProduct, type Product } from "./product";
import { publish, type PublishedRecord } from "./records";
import { freePort } from "@/db/embedded/free-port";
import { until } from "@/lib/testing/until";

interface DomainRecords {
  id: string;
  records: PublishedRecord[];
}

/** A product with a verified domain whose mail server is not there yet. */
async function startSender(): Promise<{
  product: Product;
  port: number;
  stop: () => Promise<void>;
}> {
  const port = await freePort();
  const dns = await startDnsServer();
  const product = await startProduct({
    MAIL_TRANSPORT: `smtp://127.0.0.1:${port}`,
    DNS_SERVERS: dns.address,
    SENDING_IPS: "127.0.0.1",
  });
  const stop = async () => {
    await product.remove();
    await dns.stop();
  };
  try {
    await verifyDomain(product, dns);
  } catch (error) {
    await stop();
    throw error;
  }
  return { product, port, stop };
}

async function verifyDomain(product: Product, dns: DnsServer): Promise<void> {
  const { body: domain } = await callApi<DomainRecords>(product, "POST", "/v1/domains", {
    name: "mail.example.com",
  });
  publish(dns, domain.records);
  const verified = await callApi<{ status: string }>(
    product,
    "POST",
    `/v1/domains/${domain.id}/verify`,
  );
  expect(verified.body.status).toBe("VERIFIED");
}

const message = (to: string) => ({
  from: "hello@mail.example.com",
  to,
  subject: "Hello",
  body: "<p>Hello</p>",
});

async function sendMany(product: Product, count: number): Promise<void> {
  for (let start = 0; start < count; start += 100) {
    const emails = Array.from({ length: Math.min(100, count - start) }, (_, index) =>
      message(`person${start + index}@example.net`),
    );
    const { status } = await callApi(product, "POST", "/v1/emails/batch", { emails });
    expect(status).toBe(200);
  }
}

/** A server that is down but counts its callers: it hangs up at once. */
async function hangUp(port: number): Promise<{ tries: () => number; stop: () => Promise<void> }> {
  let tries = 0;
  const server = createServer((socket) => {
    tries++;
    socket.on("error", () => {}).destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  return {
    tries: () => tries,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Often enough, but below the limit of 100 requests in 10 seconds. */
const pollMs = 300;

const recipients = (server: TestMailServer) => server.mails.map(({ to }) => to[0] ?? "");

test("mail waits while the mail server is away, and all of it goes out once when it is back", async () => {
  test.setTimeout(240_000);
  const { product, port, stop } = await startSender();
  const closed = await hangUp(port);
  try {
    await sendMany(product, 20);
    await until(() => closed.tries() >= 2 || null, {
      what: "tries that found nobody",
      seconds: 60,
    });
    await closed.stop();
    const { body } = await callApi<{ data: object[] }>(
      product,
      "GET",
      "/v1/emails?status=PENDING&limit=100",
    );
    expect(body.data).toHaveLength(20);
    const server = await startMailServer({}, port);
    await until(() => recipients(server).length >= 20 || null, {
      what: "all mail at the server",
      seconds: 120,
    });
    await until(
      async () => {
        const { body } = await callApi<{ data: object[] }>(
          product,
          "GET",
          "/v1/emails?status=SENT&limit=100",
        );
        return body.data.length === 20 || null;
      },
      { what: "no mail waits", seconds: 30, everyMilliseconds: pollMs },
    );
    expect(new Set(recipients(server)).size).toBe(20);
    expect(recipients(server)).toHaveLength(20);
    await server.stop();
  } finally {
    await stop();
  }
});

test("a worker killed in the middle of 2,000 mails loses none, and repeats only what was in flight", async () => {
  test.setTimeout(240_000);
  test.skip(process.platform !== "linux", "Processes are found through /proc.");
  const { product, port, stop } = await startSender();
  const server = await startMailServer({}, port);
  try {
    await sendMany(product, 2000);
    const first = await until(() => product.programPid("worker"), { what: "a worker" });
    await until(() => server.mails.length >= 500 || null, { what: "the middle", seconds: 60 });
    process.kill(first, "SIGKILL");
    await until(
      () => {
        const pid = product.programPid("worker");
        return pid !== null && pid !== first ? pid : null;
      },
      { what: "another worker", seconds: 30 },
    );
    await until(() => new Set(recipients(server)).size === 2000 || null, {
      what: "every recipient",
      seconds: 180,
    });
    await until(
      async () => {
        const { body } = await callApi<{ data: object[] }>(
          product,
          "GET",
          "/v1/emails?status=PENDING",
        );
        return body.data.length === 0 || null;
      },
      { what: "an empty queue", seconds: 180, everyMilliseconds: pollMs },
    );
    const copies = server.mails.length - 2000;
    test.info().annotations.push({ type: "copies after kill -9", description: String(copies) });
    // How many emails a worker makes, hands over or records at once (the dispatcher's concurrency), and no more.
    expect(copies).toBeLessThanOrEqual(48);
  } finally {
    await stop();
    await server.stop();
  }
});
