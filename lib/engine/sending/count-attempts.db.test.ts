import { afterEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createConnection } from "@/lib/domain/connections/connections";
import { createTransport } from "@/lib/engine/transports/create";
import { metrics } from "@/lib/ground/metrics/metrics";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { startProviderServer } from "@/lib/testing/provider-server";
import { setSettings, settingsOf } from "@/lib/testing/providers/as-transport";
import { playedProviders } from "@/lib/testing/providers/played-providers";

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);
afterEach(() => setSettings({ MAIL_TRANSPORT: "capture" }));

/** How many attempts of each transport were counted in this process so far. */
async function attempts(): Promise<Record<string, number>> {
  const { values } = await metrics.attempts.get();
  const sums: Record<string, number> = {};
  for (const { labels, value } of values) {
    const transport = String(labels.transport);
    sums[transport] = (sums[transport] ?? 0) + value;
  }
  return sums;
}

async function play(kind: keyof typeof playedProviders) {
  const played = playedProviders[kind];
  const provider = await startProviderServer(played.endpoint, (call) =>
    played.answer(call, provider.calls.indexOf(call)),
  );
  stops.push(() => provider.stop());
  return played;
}

test("an attempt is counted for what it was handed to, a connection's as well as the installation's", async () => {
  metrics.attempts.reset();
  const { ctx, domain } = await sender();
  const { url } = await mailServer();
  const message = { from: `shop@${domain}`, to: "ada@example.org" };
  await send(ctx, message);
  await dispatchDue({ db: database.db, transport: smtpTransport(url) });
  expect(await attempts()).toEqual({ smtp: 1 });

  setSettings(settingsOf("ses", await play("ses")));
  const transport = createTransport();
  await send(ctx, message);
  await dispatchDue({ db: database.db, transport });
  expect(await attempts()).toEqual({ smtp: 1, ses: 1 });

  const { input } = await play("resend");
  const connection = { name: "Resend", standard: true, ...input };
  await createConnection(ctx, connection as Parameters<typeof createConnection>[1]);
  await send(ctx, message);
  await dispatchDue({ db: database.db, transport: smtpTransport(url) });
  expect(await attempts()).toEqual({ smtp: 1, ses: 1, resend: 1 });

  await send(ctx, { ...message, to: "delivered@sandbox.test" });
  await dispatchDue({ db: database.db, transport: smtpTransport(url) });
  expect(await attempts()).toEqual({ smtp: 1, ses: 1, resend: 1, capture: 1 });
});
