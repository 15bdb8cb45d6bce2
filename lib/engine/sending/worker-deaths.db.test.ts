import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send, storedEmail } from "@/lib/testing/delivery";
import { deadlyGate, smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { claimEmails } from "./claim";
import { Dispatcher } from "./dispatcher";

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);

describe("mail that two workers died with, and whose answer was then lost", () => {
  it("waits no longer for our deaths than any other whose answer was lost", async () => {
    const { ctx, domain } = await sender();
    let gate: Awaited<ReturnType<typeof deadlyGate>> | null = null;
    const server = await mailServer({
      onData(stream) {
        stream.resume();
        stream.on("end", () => gate?.stop());
      },
    });
    gate = await deadlyGate(server.port);
    stops.unshift(gate.stop);
    const [id = ""] = await send(ctx, { from: `shop@${domain}` });
    for (let death = 1; death <= 2; death++) {
      const { emails } = await claimEmails(database.db, { limit: 10, leaseSeconds: 1 });
      expect(emails).toMatchObject([{ id, attempts: death }]);
      await database.travel("2 seconds");
    }
    const stop = new AbortController();
    const transport = smtpTransport(`smtp://127.0.0.1:${gate.port}`);
    const dispatcher = new Dispatcher({ db: database.db, transport, leaseSeconds: 1 });
    const running = dispatcher.run(stop.signal);
    stops.unshift(async () => {
      stop.abort();
      await running;
    });
    await until(async () => (await storedEmail(database.db, id)).events.length === 1);
    const email = await storedEmail(database.db, id);
    expect(email).toMatchObject({ status: "PENDING", attempts: 3 });
    expect(email.due_in).toBeGreaterThan(250);
    expect(email.due_in).toBeLessThan(400);
  });
});

describe("mail that two workers died with, of a campaign that was then paused", () => {
  it("keeps nobody else's mail waiting, whatever a server is still to answer", async () => {
    const { ctx, domain, key } = await sender();
    const taken: string[] = [];
    const server = await mailServer({
      onData(stream, { envelope }, callback) {
        stream.resume();
        stream.on("end", () => {
          const to = envelope.rcptTo[0]?.address ?? "";
          taken.push(to);
          if (to === "silent@example.org") stops.unshift(() => callback());
          else callback();
        });
      },
    });
    await sendingCampaign(ctx, { id: key.id, name: domain }, [{ email: "reader@example.org" }], {
      html: "<p>News</p>",
    });
    for (let death = 1; death <= 2; death++) {
      const { emails } = await claimEmails(database.db, { limit: 10, leaseSeconds: 1 });
      expect(emails).toMatchObject([{ recipient: "reader@example.org", attempts: death }]);
      await database.travel("2 seconds");
    }
    await database.db.execute(sql`update campaigns set status = 'PAUSED'`);
    const stop = new AbortController();
    const dispatcher = new Dispatcher({
      db: database.db,
      transport: smtpTransport(server.url),
      leaseSeconds: 1,
    });
    const running = dispatcher.run(stop.signal);
    stops.unshift(async () => {
      stop.abort();
      await running;
    });
    const urgent = async (to: string) => {
      await send(ctx, { from: `shop@${domain}`, to });
      dispatcher.notify();
      await until(() => taken.includes(to), { seconds: 20 });
    };
    await urgent("silent@example.org");
    // By then the worker takes over what others held.
    const began = performance.now();
    await until(() => performance.now() - began > 3_500);
    const started = performance.now();
    for (let round = 1; round <= 4; round++) await urgent(`urgent${round}@example.org`);
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(taken).not.toContain("reader@example.org");
  }, 60_000);
});
