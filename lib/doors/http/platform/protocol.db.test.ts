import { and, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { memberships } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { rotatePlatformToken } from "@/lib/domain/projects/platform-tokens";
import { makeProject, type TestProject } from "@/lib/testing";
import { platformClient, platformToken } from "@/lib/testing/platform";

const database = useTestDatabase();
const list = { name: "News", from_email: "news@sandbox.test" };
let project: TestProject;
let token: string;
let ask: ReturnType<typeof platformClient>;

beforeAll(async () => {
  project = await makeProject(database.db);
  token = await platformToken(project);
  ask = platformClient(token);
});

const unauthenticated = { status: 0, message: "Unauthenticated." };

describe("the token", () => {
  test("is taken from api_token, or from Authorization, and api_token counts", async () => {
    const nobody = platformClient(null);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await ask("GET", "/lists")).status).toBe(200);
    expect((await nobody("GET", "/lists", undefined, bearer)).status).toBe(200);
    expect((await platformClient("wrong")("GET", "/lists", undefined, bearer)).status).toBe(401);
  });

  test("missing, unknown, cut or an API key: the same 401", async () => {
    for (const wrong of [null, "", "x", token.slice(1), `${token}x`, project.apiKey, "\0"]) {
      const answer = await platformClient(wrong)("GET", "/lists");
      expect([answer.status, answer.body]).toEqual([401, unauthenticated]);
    }
  });

  test("rotated, the old one stops at once", async () => {
    const otherProject = await makeProject(database.db);
    const old = await platformToken(otherProject);
    expect((await platformClient(old)("GET", "/lists")).status).toBe(200);
    const fresh = await rotatePlatformToken(database.db, otherProject);
    expect((await platformClient(old)("GET", "/lists")).status).toBe(401);
    expect((await platformClient(fresh)("GET", "/lists")).status).toBe(200);
  });

  test("has its user's role of the moment; who left the project is nobody", async () => {
    const member = await makeProject(database.db, { role: "editor" });
    const client = platformClient(await platformToken(member));
    const membership = and(
      eq(memberships.projectId, member.projectId),
      eq(memberships.userId, member.userId),
    );
    expect((await client("POST", "/lists", list)).status).toBe(200);
    await database.db.update(memberships).set({ role: "viewer" }).where(membership);
    const refused = await client("POST", "/lists", list);
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({
      status: 0,
      message: expect.stringContaining("editor") as string,
    });
    expect((await client("GET", "/lists")).body).toHaveLength(1);
    await database.db.delete(memberships).where(membership);
    expect((await client("GET", "/lists")).body).toEqual(unauthenticated);
  });
});

describe("every answer", () => {
  test("is JSON with the request's id, the rate's figures and no Referer to leak the token", async () => {
    const answers = [
      await ask("GET", "/lists"),
      await ask("GET", "/lists/lst_nonsense"),
      await ask("GET", "/nowhere"),
      await ask("PUT", "/lists"),
      await ask("POST", "/lists", {}),
      await platformClient(null)("GET", "/lists"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 405, 422, 401]);
    for (const { headers } of answers) {
      expect(headers.get("content-type")).toBe("application/json");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-request-id")).toMatch(/^req_\w+$/);
      for (const name of ["limit", "remaining", "reset"]) {
        expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
      }
    }
  });

  test("that is an error has status 0 and a message, and never the token", async () => {
    const wrong = await ask("PUT", "/lists");
    expect(wrong.headers.get("allow")?.split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
    for (const answer of [wrong, await ask("GET", "/nowhere"), await ask("GET", "/lists/x")]) {
      expect(answer.body).toEqual({ status: 0, message: expect.any(String) as string });
      expect(JSON.stringify(answer.body)).not.toContain(token);
    }
  });

  test("a trailing slash changes nothing", async () => {
    expect((await ask("GET", "/lists/")).status).toBe(200);
  });
});

describe("limits", () => {
  test("1,000 requests a minute and token, then 429 with the seconds to wait", async () => {
    const own = platformClient(await platformToken(await makeProject(database.db)));
    const first = await own("GET", "/lists");
    expect(first.headers.get("x-ratelimit-limit")).toBe("1000");
    expect(first.headers.get("x-ratelimit-remaining")).toBe("999");
    await database.db.execute(sql`update rate_limits set used = 1000 where used = 1`);
    const over = await own("GET", "/lists");
    expect([over.status, over.body.status]).toEqual([429, 0]);
    expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask("GET", "/lists")).status).toBe(200);
  });

  test("600 failed tokens a minute and address, which touches no valid one", async () => {
    await database.db.execute(sql`delete from rate_limits`);
    const nobody = platformClient(null);
    await nobody("GET", "/lists");
    await database.db.execute(sql`update rate_limits set used = 600`);
    expect((await nobody("GET", "/lists")).status).toBe(429);
    expect((await ask("GET", "/lists")).status).toBe(200);
  });
});

describe("bodies", () => {
  const contact = { company: "Example Ltd", country_id: "276" };
  const contactOf = async (answer: { body: { list_uid: string } }) =>
    (await ask("GET", `/lists/${answer.body.list_uid}`)).body.contact as unknown;

  test("come as JSON, as forms, as multipart or in the query, nested ones in brackets", async () => {
    const fields = {
      name: "News",
      from_email: "news@sandbox.test",
      "contact[company]": contact.company,
      "contact[country_id]": contact.country_id,
    };
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const answers = [
      await ask("POST", "/lists", { ...list, contact }),
      await ask("POST", "/lists", new URLSearchParams(fields)),
      await ask("POST", "/lists", form),
      await ask("POST", `/lists?${new URLSearchParams(fields).toString()}`),
      await ask("POST", "/lists", JSON.stringify({ ...list, contact }), {
        "content-type": "application/x-www-form-urlencoded",
      }),
    ];
    for (const answer of answers) {
      expect(answer.body).toMatchObject({ status: 1, message: "List was successfully created" });
      expect(await contactOf(answer)).toMatchObject({ company: "Example Ltd", country: "Germany" });
    }
  });

  test("overrule the query, and a token among them is no field", async () => {
    const answer = await ask("POST", "/lists?name=Query&from_email=q@sandbox.test", {
      name: "Body",
      api_token: "x",
    });
    const { list: kept } = (await ask("GET", `/lists/${answer.body.list_uid as string}`)).body;
    expect([kept.name, kept.from_email]).toEqual(["Body", "q@sandbox.test"]);
  });

  test("count parameters that a form or a query leaves empty as not given", async () => {
    const form = (fields: Record<string, string>) => new URLSearchParams(fields);
    const multipart = new FormData();
    const blanks = { subscribe_confirmation: "", remind_message: "", "contact[company]": "" };
    for (const [name, value] of Object.entries({ ...list, ...blanks })) multipart.set(name, value);
    const created = await ask("POST", "/lists", form({ ...list, ...blanks }));
    const uid = (created.body as { list_uid: string }).list_uid;
    const field = { type: "text", label: "City", tag: "CITY" };
    const others = { options: "", "options[]": "", required: "", visible: "", default_value: "" };
    const blankReport = "bounce_type=&bounced_type=&report_type=&description=";
    const answers = [
      created,
      await ask("POST", "/lists", multipart),
      await ask("POST", `/lists?name=${list.name}`, form({ ...list, name: "" })),
      await ask("POST", `/lists/${uid}/add-field`, form({ ...field, ...others })),
      await ask("GET", `/subscribers?list_uid=${uid}&open=&click=&page=&per_page=`),
      await ask("GET", "/campaigns?page=&per_page="),
      await ask(
        "POST",
        "/subscribers",
        form({ list_uid: uid, EMAIL: "blanks@sandbox.test", CITY: "", tag: "", ip_address: "" }),
      ),
    ];
    for (const { status } of answers) expect(status).toBe(200);
    expect(answers[3]?.body).toMatchObject({ field: { visible: true, required: false } });
    // Read as far as the email, which is nowhere.
    const report = await ask("POST", `/notification?message_id=x&type=sent&${blankReport}`);
    expect(report.status).toBe(404);
  });

  test("that leave what is required empty say that it is missing; JSON says what it says", async () => {
    const missing = async (path: string, body?: URLSearchParams) => {
      const { status, body: answer } = await ask(body ? "POST" : "GET", path, body);
      expect(status).toBe(422);
      return answer.errors as object;
    };
    const required = ["is required"];
    const blank = (text: string) => new URLSearchParams(text);
    expect(await missing("/lists", blank("name=&from_email="))).toEqual({
      name: required,
      from_email: required,
    });
    expect(await missing("/subscribers?list_uid=")).toEqual({ list_uid: required });
    expect(await missing("/subscribers", blank("list_uid=&EMAIL="))).toEqual({
      list_uid: required,
      EMAIL: required,
    });
    expect(await missing("/notification", blank("message_id=&type="))).toMatchObject({
      message_id: required,
    });
    expect(await missing("/notification", blank("message_id=x&type=bounced&bounce_type="))).toEqual(
      { bounce_type: ["is required when type is bounced"] },
    );
    expect((await ask("POST", "/lists", { ...list, subscribe_confirmation: "" })).status).toBe(422);
  });

  test("that change a subscriber clear what they leave empty, as a form, too", async () => {
    const created = await ask("POST", "/lists", list);
    const { list_uid } = created.body as { list_uid: string };
    const person = { list_uid, EMAIL: "clears@sandbox.test", FIRST_NAME: "Ada", LAST_NAME: "L" };
    const joined = await ask("POST", "/subscribers", person);
    const path = `/subscribers/${(joined.body as { subscriber_uid: string }).subscriber_uid}`;
    await ask("PATCH", path, new URLSearchParams("FIRST_NAME=&tag="));
    await ask("PATCH", `${path}?LAST_NAME=`);
    const { subscriber } = (await ask("GET", path)).body;
    expect([subscriber.FIRST_NAME, subscriber.LAST_NAME]).toEqual(["", ""]);
  });

  test("that are wrong are refused field by field", async () => {
    const answer = await ask("POST", "/lists", {
      from_email: "nobody",
      contact: { country_id: "x" },
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ status: 0, errors: { name: ["is required"] } });
    const nested = await ask("POST", "/lists", { ...list, contact: { country_id: "999" } });
    expect(Object.keys(nested.body.errors as object)).toEqual(["contact.country_id"]);
    for (const text of ["{", '{"a":}', "[1]", "text", '{"name":"\\u0000"}', '{"__proto__":{}}']) {
      expect((await ask("POST", "/lists", text)).status).toBe(422);
    }
    for (const text of ["name=%00", "a[__proto__][x]=1", "%ff=1&name=%00"]) {
      expect((await ask("POST", "/lists", new URLSearchParams(text))).status).toBe(422);
    }
  });
});
