import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { sendingConnections } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import {
  createConnection,
  getConnection,
  listConnections,
  updateConnection,
} from "@/lib/domain/connections/connections";
import { HookCall } from "@/lib/domain/provider-reports/provider-report";
import { findReportingConnection, takeProviderReports } from "@/lib/domain/provider-reports/take";
import { testConnection } from "@/lib/engine/transports/test-connection";
import { decodeId } from "@/lib/ground/ids/ids";
import { send, storedEmail } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { Dispatcher } from "./dispatcher";

const database = useTestDatabase();
const { sender, mailServer } = useMailServers(database);

/** As after a restore beside another installation's APP_SECRET. */
const unreadable = { secretSealed: "AAAA", webhookSecretSealed: "AAAA" };

it("mail waits for a password that cannot be read, which its owner is told, and leaves with a new one", async () => {
  const installation = await mailServer();
  const server = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username }, _, callback) => callback(null, { user: username }),
  });
  const [broken, other] = [await sender(), await sender()];
  const { id } = await createConnection(broken.ctx, {
    ...{ name: "Ours", kind: "smtp", host: "127.0.0.1", port: server.port, standard: true },
    ...{ user: "mail", password: "secret", tls: "opportunistic" },
  });
  await database.db
    .update(sendingConnections)
    .set(unreadable)
    .where(eq(sendingConnections.id, decodeId("connection", id) ?? ""));
  const stop = new AbortController();
  const running = new Dispatcher({
    db: database.db,
    transport: smtpTransport(installation.url),
  }).run(stop.signal);
  const [emailId = ""] = await send(broken.ctx, { from: `shop@${broken.domain}` });
  await send(other.ctx, { from: `shop@${other.domain}` });
  await until(() => installation.mails.length === 1);
  const { state } = await until(async () => {
    const connection = await getConnection(broken.ctx, id);
    return connection.state.name === "refused" && connection;
  });
  expect(state.words).toContain("cannot be read");
  const [told] = await until(async () => {
    const rows = await database.db
      .select({ toldAt: sendingConnections.toldAt })
      .from(sendingConnections)
      .where(eq(sendingConnections.projectId, broken.ctx.projectId));
    return rows[0]?.toldAt && rows;
  });
  expect(told?.toldAt).not.toBeNull();
  expect(await storedEmail(database.db, emailId)).toMatchObject({ status: "PENDING", attempts: 0 });
  expect(await testConnection(broken.ctx, id)).toMatchObject({
    ok: false,
    words: expect.stringContaining("cannot be read") as string,
  });

  await updateConnection(broken.ctx, id, { password: "secret" });
  await until(() => server.mails.length === 1);
  await until(async () => (await storedEmail(database.db, emailId)).status === "SENT");
  stop.abort();
  await running;
}, 60_000);

it("connections are listed, and calls refused, when what proves a provider's calls cannot be read", async () => {
  const { ctx } = await sender();
  const { id } = await createConnection(ctx, { name: "P", kind: "postmark", apiKey: "a-token" });
  await database.db
    .update(sendingConnections)
    .set(unreadable)
    .where(eq(sendingConnections.id, decodeId("connection", id) ?? ""));
  expect((await listConnections(ctx)).data).toMatchObject([{ id, webhookUrl: null }]);
  const connection = await findReportingConnection(database.db, id);
  if (!connection) throw new Error("Nobody calls it.");
  const call = new HookCall(new Headers({ authorization: "Basic eDp5" }), Buffer.from("{}"));
  expect(await takeProviderReports(database.db, connection, call)).toBe("forged");
});
