import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { receiveMail } from "@/lib/mail/incoming/incoming";
import { makeProject } from "@/lib/testing";
import { takeInbound } from "./receive";
import { listInbound } from "./read";

const database = useTestDatabase();

test("mail that comes in is kept by the statement that stands beside this test", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const raw = Buffer.from("Message-ID: <1@writer.invalid>\r\nSubject: Hello\r\n\r\nHello");
  const session = { ip: "127.0.0.1", helo: "localhost", sender: "ada@[127.0.0.1]", ownHost: "a" };
  const received = await receiveMail(projectId, raw, session);
  const envelope = { recipients: ["hello@sandbox.test"], envelopeFrom: "ada@writer.invalid" };
  const text = await recordStatements(database.url, (db) =>
    takeInbound(db, { projectId, patterns: [], ...envelope, raw }, received),
  );
  const { data } = await listInbound(ctx, { limit: 10 });
  expect(data.map(({ subject }) => subject)).toEqual(["Hello"]);
  await expect(text).toMatchFileSnapshot("./receive.sql");
});
