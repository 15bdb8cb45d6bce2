import { afterEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createConnection } from "@/lib/domain/connections/connections";
import { makeProject } from "@/lib/testing";
import { setSettings } from "@/lib/testing/providers/as-transport";
import { keeper } from "@/lib/testing/providers/ses";
import { getSendingState } from "./read";

const database = useTestDatabase();
afterEach(() => setSettings({ MAIL_TRANSPORT: "capture" }));

test.each([
  ["capture", {}, "capture", null],
  ["smtp://somebody:secret@mail.internal.example:587", {}, "smtp", null],
  ["resend:", { MAIL_TRANSPORT_KEY: "re_secret" }, "resend", null],
  ["mailgun://mg.example.com?region=eu", { MAIL_TRANSPORT_KEY: "key-secret" }, "mailgun", "eu"],
  ["ses://eu-west-1", { MAIL_TRANSPORT_KEY: `${keeper.accessKey}:secret` }, "ses", "eu-west-1"],
])(
  "under %s the state names kind and region, and nothing else",
  async (transport, more, kind, region) => {
    setSettings({ MAIL_TRANSPORT: transport, ...more });
    const { ctx } = await makeProject(database.db);
    const state = await getSendingState(ctx);
    expect(state.way).toEqual({ connectionId: null, kind, region });
    expect(JSON.stringify(state)).not.toMatch(/secret|internal|mg\.example/);
  },
);

test("a standard connection is named in its place, to its own project alone", async () => {
  const [mine, other] = [await makeProject(database.db), await makeProject(database.db)];
  const { id } = await createConnection(mine.ctx, {
    kind: "ses",
    ...{ name: "SES", region: "us-east-1", standard: true },
    ...{ accessKeyId: keeper.accessKey, secretAccessKey: keeper.secretKey },
  });
  const way = { connectionId: id, kind: "ses", region: "us-east-1" };
  expect((await getSendingState(mine.ctx)).way).toEqual(way);
  expect((await getSendingState(other.ctx)).way.connectionId).toBeNull();
});
