import { expect, test } from "vitest";
import { parseSmtpUrl } from "@/lib/mail/smtp-server-url";
import { useReceivers } from "@/lib/testing/receivers";
import { SmtpTransport } from "./smtp-transport";

const { host, dns, port } = useReceivers();
const name = "smtp.provider.example";

async function deliver(to: string) {
  const transport = new SmtpTransport({
    ...parseSmtpUrl(`smtp://${name}:${port()}`, "mail.sender.example"),
    // By the test's name server.
    ...{ guarded: true, dnsOnly: true },
  });
  const raw = Buffer.from("Subject: x\r\n\r\nx\r\n");
  const mayStart = () => Promise.resolve(true);
  try {
    const envelope = { from: "b@sender.example", to };
    return await transport.deliver(envelope, raw, { lane: "transactional", mayStart });
  } finally {
    transport.close();
  }
}

test("a mail server's name may lead to two machines: whichever is away is passed over", async () => {
  dns().addresses(name, "127.0.0.71", "127.0.0.72");
  const second = await host("second.provider.example", 72);
  expect(await deliver("a@example.org")).toMatchObject({ kind: "accepted" });
  expect(second.mails.map(({ to }) => to)).toEqual([["a@example.org"]]);
  const first = await host("first.provider.example", 71);
  await second.stop();
  expect(await deliver("b@example.org")).toMatchObject({ kind: "accepted" });
  expect(first.mails.map(({ to }) => to)).toEqual([["b@example.org"]]);
});
