import { request as ask, type IncomingMessage, type Server } from "node:http";
import { readdir } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { resendOperations } from "@/lib/doors/http/resend/operations";
import { sendEmail } from "@/lib/domain/emails/send";
import { createForm } from "@/lib/domain/forms/forms";
import { decodeId } from "@/lib/ground/ids/ids";
import { formStamp, recipientToken } from "@/lib/mail/tracking/tokens";
import { makeProject } from "@/lib/testing";
import { close } from "./listen";
import { startWebServer } from "./test-server";

/*
 * Everything outside /v1 and the platform API, as the server that `npm run web` starts answers it: a method that a
 * path does not take is a 405 with a true Allow, and nothing that a stranger sends is a 500.
 */
const database = useTestDatabase();
let server: Server;
let port: number;
/** What stands for `{id}` in a path besides what is malformed: things that there are. */
let known: { form: string; mail: string };
let stamp: string;
let authorization: string;

beforeAll(async () => {
  const project = await makeProject(database.db);
  authorization = `Bearer ${project.apiKey}`;
  const mail = { to: "ada@example.com", from: "hello@sandbox.test", subject: "Hi", body: "Hi" };
  const { result } = await sendEmail(project.ctx, mail);
  const emailId = decodeId("email", result.data.emails[0]?.email ?? "") ?? "";
  const form = await createForm(project.ctx, { name: "Footer" });
  known = { form: form.id, mail: recipientToken(emailId) };
  const uuid = decodeId("form", form.id) ?? "";
  stamp = formStamp(uuid, Math.floor(Date.now() / 1000) - 30);
  ({ server, port } = await startWebServer());
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));
afterAll(() => close(server));

type Speaks = "html" | "json" | "text" | "image";
interface Route {
  path: string;
  allow: string[];
  speaks: Speaks;
  /** What there is of the kind that its `{id}` names. */
  names?: "form" | "mail";
}
const reads = ["GET", "HEAD"];
const page = (path: string, more: Partial<Route> = {}): Route => ({
  ...{ path, allow: reads, speaks: "html" },
  ...more,
});
const posted = (path: string, speaks: Speaks = "html", more: Partial<Route> = {}): Route => ({
  ...{ path, allow: ["POST"], speaks },
  ...more,
});

const resendPaths = new Map<string, Set<string>>();
for (const { path, method } of resendOperations) {
  const methods = resendPaths.get(path) ?? new Set();
  resendPaths.set(path, methods.add(method.toUpperCase()));
  if (method === "get") methods.add("HEAD");
}

const routes: Route[] = [
  ...[...resendPaths].map(([path, allow]) => ({
    ...{ path: `/resend${path}`, allow: [...allow], speaks: "json" as const },
  })),
  page("/t/o/{id}.gif", { speaks: "text" }),
  page("/t/c/{id}", { speaks: "text" }),
  page("/t/a/{id}", { speaks: "text" }),
  page("/t/u/{id}", { allow: [...reads, "POST"], names: "mail" }),
  posted("/t/preferences/{id}", "html", { names: "mail" }),
  posted("/t/confirm/{id}"),
  posted("/t/request/{id}"),
  page("/preferences/{id}", { names: "mail" }),
  page("/confirm/{id}"),
  page("/request/{id}"),
  page("/view/{id}", { names: "mail" }),
  page("/report/{id}"),
  page("/report/{id}/mail/{id}"),
  page("/f/{id}", { allow: [...reads, "POST"], names: "form" }),
  page("/f/{id}/sent", { names: "form" }),
  page("/f/{id}/seen.gif", { names: "form", speaks: "image" }),
  page("/f/confirm/{id}", { allow: [...reads, "POST"] }),
  posted("/hooks/connections/{id}", "text"),
  posted("/hooks/installation", "text"),
  page("/files/{id}/{id}", { speaks: "text" }),
  ...["register", "token", "revoke", "consent"].map((name) => posted(`/oauth/${name}`, "json")),
  ...["authorization-server", "protected-resource", "protected-resource/mcp"].map((name) =>
    page(`/.well-known/oauth-${name}`, { allow: [...reads, "OPTIONS"], speaks: "json" }),
  ),
  posted("/mcp", "json"),
];

test("every folder of app/ with routes of its own has its paths here", async () => {
  const files = (await readdir("app", { recursive: true })).filter((file) =>
    /(^|\/)route\.tsx?$/.test(file),
  );
  const folders = new Set(files.map((file) => file.split("/")[0]));
  expect(folders.size).toBeGreaterThan(10);
  // The APIs and sign-in have tests of their own, generated likewise.
  for (const folder of [...folders].filter((name) => name !== "v1" && name !== "api")) {
    expect([folder, routes.some(({ path }) => path.startsWith(`/${folder}`))]).toEqual([
      folder,
      true,
    ]);
  }
});

interface Answer {
  status: number;
  allow: string[] | undefined;
  type: string;
  body: string;
}

async function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Without it, Node's client ends a DELETE before its body.
    const length: Record<string, string> =
      body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = ask({
      port,
      host: "127.0.0.1",
      method,
      path,
      headers: { authorization, ...length, ...headers },
    });
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    allow: response.headers.allow?.split(", ").sort(),
    type: response.headers["content-type"] ?? "",
    body: Buffer.concat(chunks).toString(),
  };
}

const types: Record<Speaks, RegExp> = {
  html: /^text\/html/,
  json: /^application\/json/,
  text: /^text\/plain/,
  // A picture in somebody's page, also when it counts nothing. Whoever posts to it reads a page.
  image: /^(image\/gif|text\/html)/,
};
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
const withId = (path: string, id: string) => path.replace(/\{\w+\}/g, id);

/** What is wrong with an answer to something malformed; null when it is none of our faults, and says what it is. */
function faultOf(answer: Answer, speaks: Speaks, method: string): string | null {
  const { status, type, body } = answer;
  if (status >= 500) return `answers ${status}: ${body.slice(0, 100)}`;
  if (status < 400 || method === "HEAD") return null;
  // What is refused before a surface is asked, is refused as JSON.
  const isReadable =
    types[speaks].test(type) || (/dot|segments/.test(body) && type.includes("json"));
  return isReadable && body.length > 5
    ? null
    : `answers ${status} with ${type}: ${body.slice(0, 100)}`;
}

describe.each(routes)("$path", ({ path, allow, speaks, names }) => {
  test("takes what Allow says, and no more", async () => {
    for (const method of methods) {
      const answer = await send(method, withId(path, "nonsense"));
      if (allow.includes(method)) {
        expect([method, answer.status, answer.status < 500 && answer.status !== 405]).toEqual([
          ...[method, answer.status, true],
        ]);
        continue;
      }
      expect([method, answer.status, answer.allow]).toEqual([method, 405, [...allow].sort()]);
      expect([method, faultOf(answer, speaks, method)]).toEqual([method, null]);
    }
  });

  const here = () => (names ? known[names] : "nonsense");

  test("takes no malformed path, query or cookie for our own fault", async () => {
    const ids = [
      "%zz",
      "%",
      "%00",
      "a%00b",
      "%ED%A0%80",
      "%C0%80",
      "a".repeat(5_000),
      "%F0%9F%98%80",
    ];
    const queries = [
      "a=%zz",
      "lang=%00",
      "%00=%00",
      "lang=%ED%A0%80",
      "undo=%",
      "=&&=",
      `lang=${"x".repeat(5_000)}`,
    ];
    const cookies = ["next-auth.session-token=%zz", "=;=;%00", `a=${"x".repeat(4_000)}`, '"'];
    const faults: unknown[] = [];
    for (const method of allow) {
      const look = async (target: string, headers: Record<string, string> = {}) => {
        const fault = faultOf(await send(method, target, { headers }), speaks, method);
        if (fault) faults.push([method, target.slice(0, 60), headers, fault]);
      };
      if (path.includes("{")) for (const id of ids) await look(withId(path, id));
      for (const query of queries) await look(`${withId(path, here())}?${query}`);
      for (const cookie of cookies) await look(withId(path, here()), { cookie });
      await database.db.execute(sql`delete from rate_limits`);
    }
    expect(faults).toEqual([]);
  });

  if (!allow.some((method) => method !== "GET" && method !== "HEAD")) return;
  test("takes no malformed body for our own fault", async () => {
    const form = "application/x-www-form-urlencoded";
    const multipart = "multipart/form-data";
    const marked = `stamp=${encodeURIComponent(stamp)}&`;
    const bodies: [type: string | null, body: string][] = [
      ...["", "{", "[", "null", '"\\u0000"', '{"a":"\\ud800"}', '{"__proto__":{}}', "\xff\xfe"].map(
        (body): [string, string] => ["application/json", body],
      ),
      ...[
        "email=%zz",
        "%00=%00",
        "email=a%00b@example.com",
        "email=%ED%A0%80@example.com",
        "&&=",
        "a[b][c]=1",
      ].map((fields): [string, string] => [form, marked + fields]),
      ...["leave", "leave-all", "undo", "pause"].map((action): [string, string] => [
        ...([form, `action=${action}&list=%00&topic=%ED%A0%80&undo=%zz&lang=%00`] as const),
      ]),
      [form, `${marked}email=ada@example.com&name=%00&firstName=%00&lang=%00`],
      [form, "grant_type=%00&client_id=%00&code=%00&token=%00&redirect_uri=%00"],
      [multipart, "--x"],
      [`${multipart}; boundary=x`, "--x\r\nContent-Disposition: form-data"],
      [`${multipart}; boundary=x`, '--x\r\nContent-Disposition: form-data; name="a\0"\r\n\r\nb'],
      ["text/xml", "<a>"],
      ["not a type", "x"],
      [null, "x"],
    ];
    const faults: unknown[] = [];
    for (const method of allow.filter((one) => !["GET", "HEAD", "OPTIONS"].includes(one))) {
      for (const [type, body] of bodies) {
        const headers: Record<string, string> = type === null ? {} : { "content-type": type };
        const answer = await send(method, withId(path, here()), { headers, body });
        const fault = faultOf(answer, speaks, method);
        if (fault) faults.push([method, type, body.slice(0, 60), fault]);
        await database.db.execute(sql`delete from rate_limits`);
      }
    }
    expect(faults).toEqual([]);
  });
});
