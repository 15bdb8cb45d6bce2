import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { sendingDomain, type Target, type Wave } from "./target";

const liquidBomb = `{% assign a = "" | split: "," | push: "" %}{% for i in (1..60) %}{% assign a = a | push: a %}{% endfor %}{{ a }}`;
const lanes = 6;
const from = `hello@${sendingDomain}`;

interface Sent {
  path: string;
  body: string;
}

const send = (more: object): Sent => ({
  path: "/v1/send",
  body: JSON.stringify({
    to: "nobody@example.org",
    from,
    subject: "A bomb",
    body: "<p>Hello</p>",
    ...more,
  }),
});

/** Requests a valid key may make; each once stopped a program or held it up for seconds. */
const requests: Record<string, () => Sent> = {
  "Liquid in a subject": () => send({ subject: liquidBomb }),
  "Liquid over nested data": () =>
    send({
      body: "{% for i in (1..40) %}{% assign a = a | concat: list %}{% endfor %}{{ a }}",
      data: { list: Array.from({ length: 2_000 }, (_, n) => [n]) },
    }),
  "deep HTML": () => send({ body: "<div>".repeat(100_000) }),
  "HTML that never closes": () => send({ body: "<a <!-- &".repeat(100_000) }),
  "addresses of blanks": () =>
    send({ to: Array.from({ length: 100 }, () => `${" ".repeat(990)}@`) }),
  "a filter of four megabytes": () => ({
    path: "/v1/segments/preview",
    body: `{"filter":{"and":[${"0,".repeat(2_000_000)}0]}}`,
  }),
  "a preview that does not end": () => ({
    path: "/v1/templates/preview",
    body: JSON.stringify({ subject: liquidBomb, body: liquidBomb, from }),
  }),
  "forty megabytes": () => send({ body: "x".repeat(40_000_000) }),
  "mail of 20 MB": () =>
    send({
      attachments: [
        { filename: "a.bin", content: "A".repeat(20_000_000), contentType: "application/x-a" },
      ],
    }),
  "brackets without end": () => ({ path: "/v1/contacts", body: "[".repeat(1_000_000) }),
};

/** Endpoints of webhooks that never answer. */
async function hangWebhooks({ ctx }: Target): Promise<void> {
  const silent = createServer().listen(0, "127.0.0.1");
  silent.unref();
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const events = ["email.sent" as const, "email.failed" as const, "contact.created" as const];
  for (let n = 0; n < 5; n++) {
    await createWebhook(ctx, { url: `http://127.0.0.1:${port}/${n}`, events });
  }
}

/** Single requests, beside webhooks that hang. */
export async function requestBombs(target: Target): Promise<Wave[]> {
  await hangWebhooks(target);
  const key = await target.key("Requests");
  // Made once: real senders are elsewhere and take nothing from this machine's processors.
  const bombs = Object.entries(requests).map(([name, make]) => {
    const { path, body } = make();
    const bytes = new TextEncoder().encode(body);
    return { name, throw: () => target.ask(path, { key, body: bytes }) };
  });
  return [{ lanes, bombs }];
}
