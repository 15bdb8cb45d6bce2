import PostalMime from "postal-mime";
import { afterEach, describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { mailLink } from "@/lib/domain/users/link-mails";
import { getUser } from "@/lib/domain/users/users";
import { makeProject } from "@/lib/testing";
import { verifiedDomain } from "@/lib/testing/delivery";
import { startProviderServer, type ProviderServer } from "@/lib/testing/provider-server";
import { setSettings, settingsOf } from "@/lib/testing/providers/as-transport";
import { playedProviders } from "@/lib/testing/providers/played-providers";
import { until } from "@/lib/testing/until";
import { replaceDelays } from "./more-tries";

const database = useTestDatabase();
const origin = { address: "192.0.2.1", userAgent: "Firefox", requestId: "test" };
const kinds = Object.keys(playedProviders) as (keyof typeof playedProviders)[];

let provider: ProviderServer | undefined;
afterEach(async () => {
  setSettings({ MAIL_TRANSPORT: "capture" });
  await provider?.stop();
});

async function installed(kind: (typeof kinds)[number]) {
  const played = playedProviders[kind];
  const server = await startProviderServer(played.endpoint, (call) =>
    played.answer(call, server.calls.indexOf(call)),
  );
  provider = server;
  setSettings(settingsOf(kind, played));
  const { projectId, userId } = await makeProject(database.db);
  const { email } = await getUser(database.db, userId);
  const mail = () => mailLink(database.db, { email, purpose: "password_reset" }, origin);
  return { played, server, projectId, email, mail };
}

describe("a mail with a link, where a provider takes the installation's mail", () => {
  it.each(kinds)("goes through %s, and names no email of the log", async (kind) => {
    const { played, server, email, mail } = await installed(kind);
    await mail();
    const [call, ...others] = server.calls.filter(played.takes);
    expect(others).toEqual([]);
    const body = call?.body.toString("utf8") ?? "";
    expect(body).not.toContain("lettermill-id");
    if (kind !== "ses") return expect(body).toContain(email);
    const { Content } = JSON.parse(body) as { Content: { Raw: { Data: string } } };
    const parsed = await PostalMime.parse(Buffer.from(Content.Raw.Data, "base64"));
    expect(parsed.to).toMatchObject([{ address: email }]);
    expect(parsed.text).toMatch(/\/sign-in\/reset\/\w+/);
  });

  it("leaves in the installation's own name where the provider refuses the user's domain", async () => {
    const { server, projectId, mail, played } = await installed("postmark");
    await verifiedDomain(database.db, projectId, "refused.example.com");
    const from: string[] = [];
    server.answer = (call) => {
      const { From } = JSON.parse(call.body.toString("utf8")) as { From: string };
      from.push(From);
      return From.includes("@refused.example.com")
        ? { status: 422, json: { ErrorCode: 400, Message: "No such sender signature" } }
        : played.answer(call, 0);
    };
    await mail();
    expect(from).toEqual([
      expect.stringContaining("@refused.example.com"),
      expect.stringContaining("@localhost"),
    ]);
  });

  it("is tried again while the provider asks for less, and fails at once for a wrong key", async () => {
    const before = replaceDelays([10, 10]);
    try {
      const { server, mail, played } = await installed("resend");
      const { answer } = server;
      let asked = 0;
      server.answer = (call) =>
        ++asked > 1 ? answer(call) : { status: 429, json: { message: "Too many requests" } };
      await mail();
      await until(() => asked === 2);
      server.answer = () => played.refusesKey;
      await expect(mail()).rejects.toThrow("API key is invalid");
    } finally {
      replaceDelays(before);
    }
  });
});
