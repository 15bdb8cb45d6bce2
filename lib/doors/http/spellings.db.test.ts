import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { loginTokens } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createTrackingApp } from "@/lib/doors/http/public/app";
import { throttleSignIn } from "@/lib/doors/http/sign-in/throttles";
import { mergeContacts } from "@/lib/domain/contact-merges/merge";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { startImport } from "@/lib/domain/imports/imports";
import { answerPath } from "@/lib/domain/members/invitation-rows";
import { endSignInLinks } from "@/lib/domain/members/sign-in-links";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { takeOverImports } from "@/lib/engine/imports/apply-rows";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { foldAddress } from "@/lib/mail/address";
import { makeProject } from "@/lib/testing";
import { bearerClient, useSendingProject } from "@/lib/testing/bearer";
import { formVisitors } from "@/lib/testing/forms";
import { makeList } from "@/lib/testing/opt-outs";
import { platformClient, platformToken } from "@/lib/testing/platform";

/*
 * Addresses whose lower case is not the same in JavaScript ("i̇bo", "νικος") as in Postgres ("ibo", "νικοσ"). A call
 * that does not know its own row again must not run for ever: each has some seconds.
 */
const database = useTestDatabase();
const sender = useSendingProject(database);
const { setUp } = formVisitors(createTrackingApp(), database);
const spellings = [
  ["ibo@example.com", "İbo@example.com"],
  ["νικοσ@example.com", "ΝΙΚΟΣ@example.com"],
] as const;

interface Person {
  id: string;
  email: string;
  tags: string[];
}

async function within<Answer>(seconds: number, what: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("No answer.")), seconds * 1000);
  });
  return Promise.race([what, late]).finally(() => clearTimeout(timer));
}

test.each(spellings)("%s is changed as %s", async (kept, written) => {
  const ask = bearerClient((await makeProject(database.db)).apiKey);
  const { id } = (await ask("POST", "/v1/contacts", { email: kept })).body;
  const answer = await within(8, ask("POST", "/v1/contacts", { email: written, firstName: "I" }));
  expect(answer).toMatchObject({ status: 200, body: { id, email: kept, firstName: "I" } });
});

test("requests of other projects go on meanwhile", async () => {
  const projects = [await makeProject(database.db), await makeProject(database.db)];
  const [ask, other] = projects.map(({ apiKey }) => bearerClient(apiKey));
  if (!ask || !other) throw new Error("There are two.");
  for (const [kept] of spellings) await ask("POST", "/v1/contacts", { email: kept });
  const all = [
    ...spellings.map(([, email]) => ask("POST", "/v1/contacts", { email })),
    ...Array.from({ length: 20 }, (_, n) =>
      other("POST", "/v1/contacts", { email: `p${n}@example.com` }),
    ),
    // New for both, together: one makes it and the other changes it.
    ...spellings.flat().map((email) => other("POST", "/v1/contacts", { email, tags: [email] })),
  ];
  const answers = await within(8, Promise.all(all));
  expect(answers.map(({ status }) => status).slice(0, 22)).toEqual([
    200,
    200,
    ...Array(20).fill(201),
  ]);
  const made = answers.slice(22);
  expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 201, 201]);
  const people = made.map(({ body }) => body as Person);
  expect(new Set(people.map(({ id }) => id)).size).toBe(2);
  expect(people.map(({ tags }) => tags)).toEqual(spellings.flat().map((email) => [email]));
});

test.each([...spellings, ...spellings.map(([kept, written]) => [written, kept] as const)])(
  "%s and %s in one bulk call are one contact, and answered in the call's order",
  async (first, second) => {
    const ask = bearerClient((await makeProject(database.db)).apiKey);
    const contacts = [
      { email: "before@example.com" },
      { email: first, data: { plan: "pro", seats: 1 } },
      { email: "between@example.com" },
      { email: second, data: { seats: 2 } },
    ];
    const bulk = () => within(8, ask("POST", "/v1/contacts/bulk", { contacts }));
    const made = await bulk();
    expect(made).toMatchObject({ status: 200, body: { created: 3, updated: 0 } });
    const people = made.body.data as Person[];
    expect(people.map(({ email }) => email)).toEqual([
      ...["before@example.com", first, "between@example.com", first],
    ]);
    expect(people[1]?.id).toBe(people[3]?.id);
    expect(await bulk()).toMatchObject({ status: 200, body: { created: 0, updated: 3 } });
    const kept = await ask("GET", `/v1/contacts/${people[1]?.id}`);
    expect(kept.body.data).toEqual({ plan: "pro", seats: 2 });
  },
);

test("a thousand spellings of one address in a bulk call change one contact, once", async () => {
  const project = await makeProject(database.db);
  const ask = bearerClient(project.apiKey);
  const spelled = (n: number) =>
    Array.from("iiiiiiiiii", (letter, at) => (n & (1 << at) ? "I" : letter)).join("");
  const contacts = Array.from({ length: 1_000 }, (_, n) => ({
    email: `${spelled(n)}@example.com`,
    data: { seats: n },
  }));
  const { body } = await within(8, ask("POST", "/v1/contacts/bulk", { contacts }));
  expect(body).toMatchObject({ created: 1, updated: 0 });
  const kept = await ask("GET", "/v1/contacts/iiiiiiiiii@example.com");
  expect(kept.body.data).toEqual({ seats: 999 });
  const told = await database.db.execute(sql`
    select event from project_events where project_id = ${project.projectId}`);
  expect(told.map(({ event }) => event)).toEqual(["contact.created"]);
});

test("what only JavaScript takes for one address is two contacts", async () => {
  const ask = bearerClient((await makeProject(database.db)).apiKey);
  const contacts = [{ email: "νικος@example.com" }, { email: "ΝΙΚΟΣ@example.com" }];
  const { status, body } = await ask("POST", "/v1/contacts/bulk", { contacts });
  expect([status, body.created]).toEqual([200, 2]);
  const people = body.data as Person[];
  expect(people.map(({ email }) => email)).toEqual(contacts.map(({ email }) => email));
});

test.each(spellings)("%s signs up by a form as %s", async (kept, written) => {
  const { fill, apiKey } = await setUp({ doubleOptIn: false });
  const ask = bearerClient(apiKey);
  await ask("POST", "/v1/contacts", { email: kept });
  expect((await within(8, fill({ email: written }))).status).toBeLessThan(400);
  expect((await ask("GET", "/v1/contacts?limit=10")).body.data).toHaveLength(1);
});

test.each(spellings)("%s is added to a list by the platform's API as %s", async (kept, written) => {
  const project = await makeProject(database.db);
  const list = await makeList(project.ctx, { name: "L" });
  const ask = platformClient(await platformToken(project));
  await bearerClient(project.apiKey)("POST", "/v1/contacts", { email: kept });
  const path = `/subscribers?list_uid=${list.id}`;
  expect((await within(8, ask("POST", path, { EMAIL: written }))).status).toBeLessThan(300);
});

test.each(["gone@example.com", "ΝΙΚΟΣ@example.com", "İbo@example.com"])(
  "%s has unsubscribed and was deleted, and comes back unsubscribed by an import and a request",
  async (email) => {
    for (const comesBack of ["import", "request"]) {
      const { ctx, apiKey } = await makeProject(database.db);
      const ask = bearerClient(apiKey);
      const { id } = (await ask("POST", "/v1/contacts", { email, unsubscribed: true })).body;
      expect((await ask("DELETE", `/v1/contacts/${id}`)).status).toBe(204);
      if (comesBack === "import") {
        const file = Readable.from([Buffer.from(`email\n${email}\n`)]);
        await startImport(ctx, { file, filename: "people.csv" });
        await takeOverImports(database.db, { signal: AbortSignal.timeout(10_000) });
      } else await ask("POST", "/v1/contacts", { email });
      const back = await ask("GET", `/v1/contacts/${encodeURIComponent(email)}`);
      expect([back.status, back.body.subscribed]).toEqual([200, false]);
    }
  },
);

test("JavaScript folds addresses as Postgres does", async () => {
  const written = "ABCXYZÀÉÖØŸİIŁΑΒΓΣΆΏЁЖЯѢԱՖႠᏣẞẠΩKÅⅠⒶＡ𐐀𞤀ǄǅßıſςƏΐ";
  const [row] = await database.db.execute<{ key: string }>(
    sql`select lower(${`${written}@example.com`}) as key`,
  );
  expect(foldAddress(`${written}@example.com`)).toBe(row?.key);
});

test("a repeated recipient gets one email, however it is spelled; two that are two get two", async () => {
  for (const [kept, written] of spellings) {
    const sent = await sender.send({ to: [written, kept] });
    expect(sent.body.data.emails).toHaveLength(1);
  }
  const two = await sender.send({ to: ["ΝΙΚΟΣ@example.com", "νικος@example.com"] });
  expect(two.body.data.emails).toHaveLength(2);
});

test.each(spellings)("a merge is repeated with %s, spelled as %s", async (kept, written) => {
  const { ctx } = await makeProject(database.db);
  for (const email of ["ada@example.com", written]) await upsertContact(ctx, { email });
  const first = await mergeContacts(ctx, "ada@example.com", { other: kept });
  for (const other of [kept, written]) {
    expect(await mergeContacts(ctx, "ada@example.com", { other })).toEqual(first);
  }
});

test.each(spellings)(
  "guesses at the password of %s count as those at %s",
  async (kept, written) => {
    const guesses = Array.from({ length: 20 }, (_, n) =>
      throttleSignIn(database.db, "192.0.2.77", n % 2 ? kept : written),
    );
    const results = await Promise.allSettled(guesses);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  },
);

test("an invitation that is withdrawn ends the link of whoever is spelled otherwise", async () => {
  const { id: userId } = await findOrCreateUser(database.db, { email: "Join@example.com" });
  const id = newUnownedId();
  await database.db.insert(loginTokens).values({
    ...{ userId, purpose: "invitation", redirectTo: answerPath(id) },
    ...{ hash: randomBytes(32).toString("hex"), expiresAt: new Date(Date.now() + 60_000) },
  });
  await database.db.transaction((tx) => endSignInLinks(tx, [{ id, email: "jOIN@example.com" }]));
  const [link] = await database.db
    .select({ usedAt: loginTokens.usedAt })
    .from(loginTokens)
    .where(eq(loginTokens.userId, userId));
  expect(link?.usedAt).toBeInstanceOf(Date);
});
