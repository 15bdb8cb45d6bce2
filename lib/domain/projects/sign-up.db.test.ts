import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { verifyPassword } from "@/lib/domain/users/passwords";
import { findOrCreateUser, findUserByEmail } from "@/lib/domain/users/users";
import { parseEnv, reloadEnv } from "@/lib/ground/env/env";
import { seal } from "@/lib/ground/secrets";
import { startMailServer, type TestMailServer } from "@/lib/testing/delivery";
import { listProjects } from "./projects";
import { findSignUp, finishSignUp, requestSignUp } from "./sign-up";

const database = useTestDatabase();
const origin = { address: "192.0.2.1", userAgent: "Firefox", requestId: "req_test" };
const password = "correct horse battery";
let server: TestMailServer;

function set(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  reloadEnv();
}

beforeAll(async () => {
  server = await startMailServer();
  set({ MAIL_TRANSPORT: server.url, SIGN_UP: "open" });
});
afterAll(async () => {
  set({ MAIL_TRANSPORT: "capture", SIGN_UP: undefined });
  await server.stop();
});

/** What was mailed to an address, and the token of a link to sign up in it. */
async function mailedTo(email: string) {
  const mails = server.mails.filter(({ to }) => to.includes(email));
  const parsed = await PostalMime.parse(mails.at(-1)?.raw ?? "");
  const token = /\/sign-up\/([\w-]+)/.exec(parsed.text ?? "")?.[1] ?? "";
  return { mails: mails.length, subject: parsed.subject, text: parsed.text ?? "", token };
}

async function ask(email: string): Promise<string> {
  await requestSignUp(database.db, { email });
  return (await mailedTo(email)).token;
}

test("a mailed link makes the account, its password and its first project, once", async () => {
  const email = "ada@example.com";
  const token = await ask(email);
  expect(await findUserByEmail(database.db, email)).toBeNull();
  expect(await findSignUp(database.db, token)).toBe(email);
  const input = { token, name: "Analytical Engines", password };
  await expect(
    finishSignUp(database.db, { ...input, password: "short" }, origin),
  ).rejects.toMatchObject({ details: [{ path: "password" }] });
  await expect(finishSignUp(database.db, { ...input, name: "" }, origin)).rejects.toMatchObject({
    details: [{ path: "name" }],
  });
  const presses = await Promise.allSettled([
    finishSignUp(database.db, input, origin),
    finishSignUp(database.db, { ...input, password: "somebody else's" }, origin),
  ]);
  expect(presses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(finishSignUp(database.db, input, origin)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  const user = await findUserByEmail(database.db, email);
  const won = presses[0]?.status === "fulfilled" ? password : "somebody else's";
  expect(await verifyPassword(database.db, { email, password: won })).toMatchObject({
    user: { id: user?.id },
  });
  expect(await listProjects(database.db, user?.id ?? "")).toMatchObject([
    { name: "Analytical Engines", role: "owner" },
  ]);
  const acts = await database.db.execute<{ action: string }>(
    sql`select action from audit_log where actor_id = ${user?.id ?? null}::uuid order by id`,
  );
  expect(acts.map(({ action }) => action)).toEqual(["create.project", "create.user"]);
});

test("people who have an account are told so by mail, in their language, and nobody else is", async () => {
  await findOrCreateUser(database.db, { email: "grace@example.com" });
  const languages = ["de"];
  await requestSignUp(database.db, { email: "Grace@example.com", languages });
  expect(await mailedTo("grace@example.com")).toMatchObject({
    mails: 1,
    subject: "Sie haben schon ein Lettermill-Konto",
    token: "",
  });
});

test("a link ends after a day, when somebody was invited meanwhile, and with an open sign-up", async () => {
  const late = await ask("late@example.com");
  const invited = await ask("invited@example.com");
  const closed = await ask("closed@example.com");
  await findOrCreateUser(database.db, { email: "INVITED@example.com" });
  expect(await findSignUp(database.db, invited)).toBeNull();
  set({ SIGN_UP: "invite" });
  try {
    expect(await findSignUp(database.db, closed)).toBeNull();
    await expect(
      finishSignUp(database.db, { token: closed, name: "Shop", password }, origin),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(ask("new@example.com")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  } finally {
    set({ SIGN_UP: "open" });
  }
  await database.travel("25 hours");
  expect(await findSignUp(database.db, late)).toBeNull();
});

test.each([
  ["nothing", ""],
  ["other characters", "%%%"],
  ["another text", seal("ada@example.com")],
  ["something else of ours", seal(JSON.stringify({ email: "ada@example.com" }))],
])("%s instead of a link's token makes no account", async (_, token) => {
  expect(await findSignUp(database.db, token)).toBeNull();
});

test("an edited link makes no account", async () => {
  const token = await ask("edited@example.com");
  const edited = `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
  expect(await findSignUp(database.db, edited)).toBeNull();
});

test("sign-up is by invitation unless it is opened, and open only where mail is sent", () => {
  expect(parseEnv({}).SIGN_UP).toBe("invite");
  expect(() => parseEnv({ SIGN_UP: "open" })).toThrow(/SIGN_UP: can be open only where/);
  expect(() => parseEnv({ SIGN_UP: "anybody" })).toThrow(/SIGN_UP/);
});
