import { afterAll, beforeAll, expect, test } from "vitest";
import { loginTokens } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { reloadEnv } from "@/lib/ground/env/env";
import { until } from "@/lib/testing/until";
import { requestLink } from "./account";
import { askToSignUp } from "./sign-up";

const database = useTestDatabase();
const appUrl = "http://localhost:3000";
const settings = {
  OIDC_ISSUER: "https://id.acme.example",
  OIDC_CLIENT_ID: "lettermill",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_NAME: "Acme ID",
  OIDC_DOMAINS: "acme.example",
  OIDC_ONLY: "1",
  SIGN_UP: "open",
  MAIL_TRANSPORT: "smtp://127.0.0.1:1",
};

beforeAll(() => {
  Object.assign(process.env, settings);
  reloadEnv();
});
afterAll(() => {
  for (const name of Object.keys(settings)) delete process.env[name];
  process.env["MAIL_TRANSPORT"] = "capture";
  reloadEnv();
});

const ask = (path: string, body: object) =>
  new Request(`${appUrl}/api/auth/${path}`, {
    method: "POST",
    headers: { origin: appUrl, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test.each(["known@acme.example", "Stranger@Acme.Example"])(
  "under OIDC_ONLY no link is mailed to %s, known or not, and the answer is the same",
  async (email) => {
    await findOrCreateUser(database.db, { email: "known@acme.example" });
    const answers = [
      await requestLink(ask("links", { email, purpose: "login" })),
      await requestLink(ask("links", { email, purpose: "password_reset" })),
      await askToSignUp(ask("sign-up", { email })),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({
        error: { message: "People at acme.example sign in with Acme ID, and in no other way." },
      });
    }
    expect(await database.db.select().from(loginTokens)).toEqual([]);
  },
);

test("people of other domains still get theirs", async () => {
  const email = "ada@elsewhere.example";
  await findOrCreateUser(database.db, { email });
  const answer = await requestLink(ask("links", { email, purpose: "login" }));
  expect(answer.status).toBe(202);
  await until(async () => (await database.db.select().from(loginTokens)).length > 0);
});
