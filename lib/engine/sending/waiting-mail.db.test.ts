import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { databaseTime } from "@/lib/domain/emails/normalize";
import { addSuppression } from "@/lib/domain/suppressions/suppressions";
import { send, storedEmail } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { Dispatcher } from "./dispatcher";

/* What happens to mail outside campaigns while it is claimed and waits for a slow server. */

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);

/** A server with one session for all, which keeps its first answer until it is asked for. */
async function oneSessionServer() {
  const first: { answer: (() => void) | null } = { answer: null };
  const taken: string[] = [];
  const server = await mailServer({
    onData(stream, { envelope }, callback) {
      stream.resume();
      stream.on("end", () => {
        taken.push(envelope.rcptTo[0]?.address ?? "");
        if (taken.length === 1) first.answer = () => callback();
        else callback();
      });
    },
  });
  return { url: `${server.url}?connections=1`, taken, first };
}

function startDispatcher(url: string) {
  const stop = new AbortController();
  const transport = smtpTransport(url, { stalledSeconds: 60 });
  const dispatcher = new Dispatcher({ db: database.db, transport });
  const running = dispatcher.run(stop.signal);
  stops.unshift(async () => {
    stop.abort();
    await running;
  });
  return dispatcher;
}

test("mail that waits for a slow server is not sent after its deadline, nor to whom it was suppressed for meanwhile", async () => {
  const { ctx, domain } = await sender();
  const from = `shop@${domain}`;
  const { url, taken, first } = await oneSessionServer();
  const dispatcher = startDispatcher(url);
  await send(ctx, { from, to: "first@example.org" });
  dispatcher.notify();
  await until(() => first.answer !== null);

  const sendBefore = new Date((await databaseTime(database.db)).getTime() + 3_000).toISOString();
  const [late = ""] = await send(ctx, { from, to: "late@example.org", sendBefore });
  const [refused = ""] = await send(ctx, { from, to: "refused@example.org" });
  const [welcome = ""] = await send(ctx, { from, to: "welcome@example.org" });
  dispatcher.notify();
  for (const id of [late, refused, welcome]) {
    await until(async () => (await storedEmail(database.db, id)).claimed);
  }
  await addSuppression(ctx, { email: "refused@example.org" });
  await until(async () => {
    const [row] = await database.db.execute<{ past: boolean }>(
      sql`select app_now() > ${sendBefore}::timestamptz as past`,
    );
    return row?.past === true;
  });
  first.answer?.();

  await until(async () => (await storedEmail(database.db, welcome)).status === "SENT");
  await until(async () => (await storedEmail(database.db, late)).status !== "PENDING");
  await until(async () => (await storedEmail(database.db, refused)).status !== "PENDING");
  expect(taken).toEqual(["first@example.org", "welcome@example.org"]);
  expect(await storedEmail(database.db, late)).toMatchObject({
    status: "FAILED",
    sent_at: null,
    waits: false,
    events: [{ name: "failed", data: { reasonCode: "too_late" } }],
  });
  expect(await storedEmail(database.db, refused)).toMatchObject({
    status: "FAILED",
    sent_at: null,
    waits: false,
    events: [{ name: "suppressed", data: { reason: "manual" } }],
  });
});
