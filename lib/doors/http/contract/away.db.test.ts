import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase, database as pool } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { platformOperations } from "@/lib/doors/http/platform/operations";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { env, reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";
import { startDatabaseProxy, type DatabaseProxy } from "@/lib/testing/database-proxy";
import { platformToken } from "@/lib/testing/platform";
import { until } from "@/lib/testing/until";
import { doors, type Answer, type Sent } from "./doors";
import { pathWith } from "./example";
import { examples } from "./examples";

/* While the database is away every operation says so, and when to come again: 503, Retry-After. */
const database = useTestDatabase();
let proxy: DatabaseProxy;
let project: TestProject;
let cookie: string;
let token: string;

beforeAll(async () => {
  project = await makeProject(database.db);
  cookie = await sessionCookie(database.db, project.userId);
  token = await platformToken(project);
  proxy = await startDatabaseProxy(database.url);
  await closeDatabase();
  process.env["DATABASE_URL"] = proxy.url;
  reloadEnv();
});
afterAll(async () => {
  await closeDatabase();
  await proxy.stop();
});

const isBack = () =>
  until(
    () =>
      pool().$client`select 1`.then(
        () => true,
        () => false,
      ),
    { what: "the database to be back", seconds: 20 },
  );

const bearer = () => ({ authorization: `Bearer ${project.apiKey}` });
const own = () => ({ cookie, origin: env().APP_URL });

function requestTo(operation: (typeof bearerOperations)[number]): Sent {
  const { name, method, path } = operation;
  const { unknownId, body, headers, query } = examples[name] ?? {};
  const search = new URLSearchParams(query).toString();
  const target = `${pathWith(path, { id: unknownId ?? "nonsense" })}${search && `?${search}`}`;
  const sessionOnly = "sessionOnly" in operation && operation.sessionOnly;
  return {
    method: method.toUpperCase(),
    path: sessionOnly
      ? `/api/dashboard/${encodeId("project", project.projectId)}${target}`
      : target,
    headers: { ...headers, ...(sessionOnly ? own() : bearer()) },
    ...(body ? { body: body({ id: "nonsense" }) } : {}),
  };
}

const saidOf = ({ status, headers }: Answer) => ({
  status,
  retryAfter: headers.get("retry-after"),
});
const away = { status: 503, retryAfter: "5" };

test("every operation of both APIs answers 503 with Retry-After while the database is away", async () => {
  await isBack();
  proxy.leave();
  const answers = await Promise.all(
    bearerOperations.map(async (operation) => {
      const answer = await doors.hono(requestTo(operation));
      return [operation.name, saidOf(answer), answer.body] as const;
    }),
  );
  for (const [name, said, body] of answers) {
    expect([name, said]).toEqual([name, away]);
    expect(body).toMatchObject({
      error: { code: "UNAVAILABLE", message: expect.stringContaining("in 5 seconds") as string },
    });
  }
  const platform = await Promise.all(
    platformOperations.map(async ({ name, method, path }) => {
      const target = `/api/v1${path.replace(/\{\w+\}/g, "nonsense")}?api_token=${token}`;
      const answer = await doors.hono({ method: method.toUpperCase(), path: target });
      return [name, saidOf(answer)] as const;
    }),
  );
  for (const [name, said] of platform) expect([name, said]).toEqual([name, away]);
  proxy.comeBack();
  await isBack();
  const [listContacts] = bearerOperations.filter(({ name }) => name === "listContacts");
  if (!listContacts) throw new Error("There is no listContacts.");
  expect((await doors.hono(requestTo(listContacts))).status).toBe(200);
}, 60_000);

describe.each(["sendEmail", "upsertContact", "upsertContacts", "createTemplate", "listEmails"])(
  "%s",
  (name) => {
    test.each([1, 2, 3])(
      "says so when it leaves after %i messages",
      async (messages) => {
        const operation = bearerOperations.find((candidate) => candidate.name === name);
        if (!operation) throw new Error(`There is no ${name}.`);
        await isBack();
        proxy.leaveAfter(messages);
        // One that needs fewer messages may come through; none is answered by anything else.
        const answers = [];
        for (let nth = 0; nth < 3; nth++) answers.push(await doors.hono(requestTo(operation)));
        proxy.comeBack();
        expect(saidOf(answers.at(-1) as Answer)).toEqual(away);
        for (const answer of answers) {
          if (answer.status >= 400) expect(saidOf(answer)).toEqual(away);
        }
      },
      30_000,
    );
  },
);
