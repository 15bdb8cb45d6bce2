import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createFilesApp } from "@/lib/doors/http/public/files";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { send } from "@/lib/testing/delivery";
import { makeProject, type TestProject } from "@/lib/testing";
import { platformClient, platformToken } from "@/lib/testing/platform";
import { consumeLoginToken, findLoginToken } from "@/lib/domain/users/login-tokens";

const database = useTestDatabase();
const png = Buffer.from("\x89PNG\r\n\x1a\nbytes", "latin1");
let project: TestProject;
let ask: ReturnType<typeof platformClient>;
let folder = "";
const site = createServer((request, response) => {
  if (request.url === "/gone.png") response.statusCode = 404;
  response.end(request.url === "/page.html" ? "<script>alert(1)</script>" : png);
});
let origin = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lettermill-test-"));
  process.env["DATA_DIR"] = folder;
  reloadEnv();
  await once(site.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  project = await makeProject(database.db);
  ask = platformClient(await platformToken(project));
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  delete process.env["DATA_DIR"];
  delete process.env["ALLOW_PRIVATE_ADDRESSES"];
  reloadEnv();
  await rm(folder, { recursive: true, force: true });
});

describe("POST /login-token: {token, url}", () => {
  test("the url embeds the token, and leads its user to the token's project, once", async () => {
    const { body } = await ask("POST", "/login-token");
    const { token, url } = body as { token: string; url: string };
    expect(url).toBe(`http://localhost:3000/login/token/${token}`);
    expect(await findLoginToken(database.db, token, "login")).not.toBeNull();
    const used = await consumeLoginToken(database.db, token, "login");
    expect(used).toMatchObject({
      user: { id: project.userId },
      redirectTo: `/dashboard/${encodeId("project", project.projectId)}`,
    });
    expect(await consumeLoginToken(database.db, token, "login")).toBeNull();
  });

  test("works for ten minutes, and only its hash is kept", async () => {
    const createToken = async () =>
      ((await ask("POST", "/login-token")).body as { token: string }).token;
    const token = await createToken();
    const [row] = await database.db.execute<{ kept: string; seconds: number }>(sql`
      select row_to_json(t)::text as kept,
        extract(epoch from expires_at - created_at)::int as seconds
      from login_tokens t order by created_at desc limit 1`);
    expect(row?.seconds).toBe(600);
    expect(row?.kept).not.toContain(token);
  });

  test("a viewer gets one, too: it is their own dashboard", async () => {
    const viewer = await makeProject(database.db, { role: "viewer" });
    const answer = await platformClient(await platformToken(viewer))("POST", "/login-token");
    expect(answer.status).toBe(200);
  });
});

describe("POST /file/upload {files: array of file object}", () => {
  const uploaded = (path: string) =>
    `http://localhost:3000/files/${encodeId("project", project.projectId)}/${path}`;

  test("each url is fetched and saved under its subdirectory, one entry each", async () => {
    const files = [
      { url: `${origin}/logo.png`, subdirectory: "logos" },
      { url: `${origin}/gone.png` },
      { url: `${origin}/page.html` },
      { url: `${origin}/x.png`, subdirectory: "../../etc" },
      { url: "ftp://example.com/x.png" },
    ];
    const { status, body } = await ask("POST", "/file/upload", { files });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 0, message: "4 of 5 files were not uploaded" });
    const entries = (body as { files: { file: string; status: number }[] }).files;
    expect(entries[0]).toEqual({
      file: uploaded("logos/logo.png"),
      status: 1,
      message: "File uploaded",
    });
    expect(entries.slice(1).map((one) => [one.file, one.status])).toEqual(
      files.slice(1).map(({ url }) => [url, 0]),
    );
    const served = await createFilesApp().fetch(new Request(entries[0]?.file ?? ""));
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png);
  });

  test("files may be a JSON string, or form fields", async () => {
    const file = { url: `${origin}/one.png`, subdirectory: "a/b" };
    for (const body of [
      { files: JSON.stringify([file]) },
      new URLSearchParams({
        "files[0][url]": file.url,
        "files[0][subdirectory]": file.subdirectory,
      }),
    ]) {
      expect((await ask("POST", "/file/upload", body)).body).toEqual({
        status: 1,
        message: "Files were uploaded",
        files: [{ file: uploaded("a/b/one.png"), status: 1, message: "File uploaded" }],
      });
    }
    for (const files of ["{", "{}", "[1]", [], "[]", undefined]) {
      const answer = await ask("POST", "/file/upload", { files });
      expect([answer.status, answer.body]).toMatchObject([422, { errors: { files: [/./] } }]);
    }
  });

  test("a multipart upload works too", async () => {
    const form = new FormData();
    form.set("subdirectory", "forms");
    form.append("files[]", new File([png], "first.png"));
    form.append("files[]", new File([`${png.toString("latin1")}2`], "second.exe"));
    const { body } = await ask("POST", "/file/upload", form);
    expect((body as { files: { status: number }[] }).files.map(({ status }) => status)).toEqual([
      1, 0,
    ]);
    expect(body).toMatchObject({ files: [{ file: uploaded("forms/first.png") }, {}] });
  });

  test("an address of the inside is not asked", async () => {
    process.env["ALLOW_PRIVATE_ADDRESSES"] = "0";
    reloadEnv();
    const { body } = await ask("POST", "/file/upload", { files: [{ url: `${origin}/logo.png` }] });
    expect(body).toMatchObject({ status: 0, files: [{ file: `${origin}/logo.png`, status: 0 }] });
    delete process.env["ALLOW_PRIVATE_ADDRESSES"];
    reloadEnv();
  });
});

describe("POST /notification: {status, message}", () => {
  const sent = async () => {
    const [id = ""] = await send(project.ctx, {
      from: "hello@sandbox.test",
      to: `n${Math.random()}@sandbox.test`,
    });
    await database.db.execute(sql`
      update emails set status = 'SENT', sent_at = app_now() where id = ${id}`);
    return { uuid: id, messageId: `<${encodeId("email", id)}@sandbox.test>` };
  };
  const statusOf = async (uuid: string) =>
    (
      await database.db.execute<{ status: string }>(
        sql`select status from emails where id = ${uuid}`,
      )
    )[0]?.status;

  test.each([
    ["sent", {}, "DELIVERED"],
    ["bounced", { bounce_type: "hard" }, "BOUNCED"],
    ["bounced", { bounce_type: "soft" }, "SENT"],
    ["bounced", { bounced_type: "Hard" }, "BOUNCED"],
    ["reported", { report_type: "hard" }, "COMPLAINED"],
    ["abuse", {}, "COMPLAINED"],
    ["spam", {}, "COMPLAINED"],
    ["failed", {}, "FAILED"],
  ])(
    "States and transitions: %s %j makes it %s, from body or query",
    async (type, more, status) => {
      for (const place of ["body", "query"]) {
        const { uuid, messageId } = await sent();
        const fields = { message_id: messageId, type, ...more, description: "words & signs" };
        const query = new URLSearchParams(fields).toString();
        const answer =
          place === "body"
            ? await ask("POST", "/notification", fields)
            : await ask("POST", `/notification?${query}`);
        expect([answer.status, answer.body]).toEqual([
          200,
          { status: 1, message: "Notification was recorded" },
        ]);
        expect(await statusOf(uuid)).toBe(status);
      }
    },
  );

  test("the path /notification/bounce needs no type", async () => {
    const { uuid, messageId } = await sent();
    const body = { message_id: messageId, bounce_type: "hard" };
    expect((await ask("POST", "/notification/bounce", body)).body).toMatchObject({ status: 1 });
    expect(await statusOf(uuid)).toBe("BOUNCED");
  });

  test("what is missing or unknown is named", async () => {
    const { messageId: id } = await sent();
    const wrong: [object, string][] = [
      [{ type: "sent" }, "message_id"],
      [{ message_id: id }, "type"],
      [{ message_id: id, type: "eaten" }, "type"],
      [{ message_id: id, type: "bounced" }, "bounce_type"],
      [{ message_id: id, type: "bounced", bounce_type: "elastic" }, "bounce_type"],
      [{ message_id: id, type: "reported" }, "report_type"],
    ];
    for (const [body, field] of wrong) {
      const answer = await ask("POST", "/notification", body);
      expect(answer.status).toBe(422);
      expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field]);
    }
    const unknown = await ask("POST", "/notification", { message_id: "<x@y>", type: "sent" });
    expect([unknown.status, unknown.body]).toMatchObject([404, { status: 0 }]);
  });
});
