import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLog } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { makeProject } from "@/lib/testing";
import { deleteFile, findPublicFile, getFile, listFiles, uploadFile, uploadFromUrl } from "./files";
import { startS3Server, type S3Server } from "@/lib/testing/s3-server";

const database = useTestDatabase();
const png = (text = "") => Buffer.from(`\x89PNG\r\n\x1a\n${text}`, "latin1");
const upload = (filename: string, file: Buffer, subdirectory?: string) => ({
  filename,
  file: [file],
  subdirectory,
});

let dataDir = "";
let s3: S3Server;
let dns: DnsServer;
let answer: RequestListener;
let requests = 0;
const site = createServer((request, response) => {
  requests++;
  answer(request, response);
});
let port = 0;

function settings(changes: Record<string, string>): void {
  Object.assign(process.env, changes);
  reloadEnv();
}

beforeAll(async () => {
  [dataDir, s3, dns] = await Promise.all([
    mkdtemp(join(tmpdir(), "lettermill-test-")),
    startS3Server(),
    startDnsServer(),
  ]);
  await once(site.listen(0, "127.0.0.1"), "listening");
  ({ port } = site.address() as AddressInfo);
  settings({ DATA_DIR: dataDir });
});
beforeEach(() => {
  requests = 0;
  answer = (_request, response) => response.end(png("fetched"));
});
afterEach(() => settings({ FILES: "disk", ALLOW_PRIVATE_ADDRESSES: "1", DNS_SERVERS: "" }));
afterAll(async () => {
  site.closeAllConnections();
  await Promise.all([
    s3.stop(),
    dns.stop(),
    new Promise((resolve) => site.close(resolve)),
    rm(dataDir, { recursive: true, force: true }),
  ]);
  for (const name of ["DATA_DIR", "FILES", "ALLOW_PRIVATE_ADDRESSES"]) delete process.env[name];
  reloadEnv();
});

async function filesOnDisk(): Promise<string[]> {
  const entries = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function bytesOf(projectId: string, path: string): Promise<Buffer | null> {
  const file = await findPublicFile(database.db, encodeId("project", projectId), path);
  const body = await file?.open();
  return body ? buffer(body) : null;
}

describe.each(["disk", "s3"])("a file kept in %s", (where) => {
  beforeEach(() => settings({ FILES: where === "s3" ? s3.setting : "disk" }));

  test("is found at its public address, and gone from store and address once deleted", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const content = png("x".repeat(300_000));
    const file = await uploadFile(ctx, upload("Logo für Ä.png", content, "logos/2026"));
    expect(file).toMatchObject({
      name: "Logo für Ä.png",
      path: "logos/2026/Logo für Ä.png",
      contentType: "image/png",
      size: content.length,
      url: `http://localhost:3000/files/${encodeId("project", projectId)}/logos/2026/Logo%20f%C3%BCr%20%C3%84.png`,
    });
    expect(await getFile(ctx, file.id)).toEqual(file);
    expect(await bytesOf(projectId, file.path)).toEqual(content);
    await deleteFile(ctx, file.id);
    expect(await bytesOf(projectId, file.path)).toBeNull();
    await expect(getFile(ctx, file.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(deleteFile(ctx, file.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(where === "s3" ? s3.objects.size : (await filesOnDisk()).length).toBe(0);
  });

  test("20 at once of one name and other content end in 20 names, and no bytes too many", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const before = where === "s3" ? s3.objects.size : (await filesOnDisk()).length;
    const uploaded = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        uploadFile(ctx, upload("logo.png", png(String(index)))),
      ),
    );
    expect(new Set(uploaded.map(({ path }) => path)).size).toBe(20);
    for (const [index, { path }] of uploaded.entries()) {
      expect(await bytesOf(projectId, path)).toEqual(png(String(index)));
    }
    const same = await Promise.all(
      Array.from({ length: 5 }, () => uploadFile(ctx, upload("same.png", png("same")))),
    );
    expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    const after = where === "s3" ? s3.objects.size : (await filesOnDisk()).length;
    expect(after - before).toBe(21);
  });
});

describe("the S3 store", () => {
  beforeEach(() => settings({ FILES: s3.setting }));

  test("gets signed calls with the content's digest and type, below the prefix", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    s3.calls.length = 0;
    await uploadFile(ctx, upload("a.png", png("a")));
    expect(s3.calls).toHaveLength(1);
    const [path = ""] = /\/mail-files\/assets\/.*$/.exec(s3.calls[0] ?? "") ?? [];
    expect(path).toContain(`/mail-files/assets/${projectId}/`);
    expect(s3.objects.get(path)).toEqual({ body: png("a"), contentType: "image/png" });
  });

  test("is asked again when it is in trouble", async () => {
    const { ctx } = await makeProject(database.db);
    s3.failNext(503);
    await expect(uploadFile(ctx, upload("a.png", png("a")))).resolves.toMatchObject({ size: 9 });
  });

  test("that refuses leaves no file behind, and its words are not the caller's", async () => {
    const { ctx } = await makeProject(database.db);
    settings({ FILES: s3.setting.replace("AKID", "OTHER") });
    await expect(uploadFile(ctx, upload("a.png", png("a")))).rejects.toThrow(
      "The file store answered 403 (SignatureDoesNotMatch) to PUT.",
    );
    expect((await listFiles(ctx, { limit: 20 })).data).toEqual([]);
  });
});

describe("an upload", () => {
  test("says by its bytes what it is", async () => {
    const { ctx } = await makeProject(database.db);
    expect(await uploadFile(ctx, upload("page.html", png("1")))).toMatchObject({
      contentType: "image/png",
      path: "page.html.png",
    });
    const lying = upload("logo.png", Buffer.from("<html><script>alert(1)</script></html>"));
    await expect(uploadFile(ctx, lying)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "file" }],
    });
    await expect(uploadFile(ctx, upload("a.png", Buffer.alloc(0)))).rejects.toMatchObject({
      details: [{ path: "file", message: "is empty" }],
    });
  });

  test("past 25 MB is refused while it comes, and leaves nothing on the disk", async () => {
    const { ctx } = await makeProject(database.db);
    const before = await filesOnDisk();
    let sent = 0;
    function* endless() {
      yield png();
      for (; sent < 100; sent++) yield Buffer.alloc(1024 * 1024);
    }
    await expect(uploadFile(ctx, { filename: "big.png", file: endless() })).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    expect(sent).toBeLessThan(27);
    expect(await filesOnDisk()).toEqual(before);
  });

  test("stays in its project's folder and within the actor's rights", async () => {
    const { ctx } = await makeProject(database.db);
    const { ctx: other, projectId: elsewhere } = await makeProject(database.db);
    await expect(uploadFile(ctx, upload("a.png", png(), "../../etc"))).rejects.toMatchObject({
      details: [{ path: "subdirectory" }],
    });
    const file = await uploadFile(ctx, upload("a.png", png("mine")));
    await expect(getFile(other, file.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(deleteFile(other, file.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await bytesOf(elsewhere, file.path)).toBeNull();
    expect((await listFiles(other, { limit: 20 })).data).toEqual([]);
    const viewer = { ...ctx, role: "viewer" as const };
    const denied = { code: "NOT_ALLOWED" };
    await expect(uploadFile(viewer, upload("b.png", png()))).rejects.toMatchObject(denied);
    await expect(deleteFile(viewer, file.id)).rejects.toMatchObject(denied);
    await expect(
      uploadFromUrl(viewer, { url: `http://127.0.0.1:${port}/x.png` }),
    ).rejects.toMatchObject(denied);
    expect(requests).toBe(0);
    expect((await listFiles(viewer, { limit: 20 })).data).toHaveLength(1);
  });

  test("stands in the audit log, as its deletion does", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const file = await uploadFile(ctx, upload("a.png", png()));
    await deleteFile(ctx, file.id);
    const entries = await database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.projectId, projectId));
    expect(
      entries
        .filter(({ target }) => target === file.id)
        .map(({ action }) => action)
        .toSorted(),
    ).toEqual(["create.file", "delete.file"]);
  });

  test("is listed newest first, by pages and by a part of its path", async () => {
    const { ctx } = await makeProject(database.db);
    for (const [name, folder] of [
      ["a", "logos"],
      ["b", "Photos"],
      ["50%", undefined],
    ] as const) {
      await uploadFile(ctx, upload(`${name}.png`, png(name), folder));
    }
    const first = await listFiles(ctx, { limit: 2 });
    const rest = await listFiles(ctx, { limit: 2, cursor: first.nextCursor });
    expect([...first.data, ...rest.data].map(({ path }) => path)).toEqual([
      "50.png",
      "Photos/b.png",
      "logos/a.png",
    ]);
    const namesFor = async (search: string) =>
      (await listFiles(ctx, { limit: 5, search })).data.map(({ name }) => name);
    expect(await namesFor("PHOTO")).toEqual(["b.png"]);
    expect(await namesFor("%")).toEqual([]);
  });
});

describe("a fetch by address", () => {
  const at = (path: string) => ({ url: `http://127.0.0.1:${port}${path}` });

  test("keeps what a public address answers under the address's name", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const file = await uploadFromUrl(ctx, { ...at("/img/big%20logo.png?v=2"), subdirectory: "x" });
    expect(file.path).toBe("x/big logo.png");
    expect(await bytesOf(projectId, file.path)).toEqual(png("fetched"));
    expect((await uploadFromUrl(ctx, at("/"))).path).toBe("file.png");
  });

  test("reaches no private address, whatever spells or names it, and shows nothing of it", async () => {
    const { ctx } = await makeProject(database.db);
    settings({ ALLOW_PRIVATE_ADDRESSES: "0", DNS_SERVERS: dns.address });
    dns.addresses("inner.example.com", "127.0.0.1");
    dns.addresses("both.example.com", "8.8.8.8", "127.0.0.1");
    for (const host of [
      "127.0.0.1",
      "2130706433",
      "[::ffff:7f00:1]",
      "inner.example.com",
      "both.example.com",
    ]) {
      await expect(
        uploadFromUrl(ctx, { url: `http://${host}:${port}/secret.png` }),
      ).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        message: "url: The address does not lead to a public server.",
      });
    }
    expect(requests).toBe(0);
  });

  test.each([
    ["a redirect", 302, "redirects to another address, which is not followed"],
    ["an error", 404, "answered with status 404"],
  ])("of %s keeps nothing", async (_what, status, message) => {
    const { ctx } = await makeProject(database.db);
    answer = (_request, response) =>
      response.writeHead(status, { location: "/elsewhere.png" }).end(png());
    await expect(uploadFromUrl(ctx, at("/a.png"))).rejects.toMatchObject({
      details: [{ path: "url", message }],
    });
    expect(requests).toBe(1);
    expect((await listFiles(ctx, { limit: 20 })).data).toEqual([]);
  });

  test("of a page that calls itself a picture keeps nothing", async () => {
    const { ctx } = await makeProject(database.db);
    answer = (_request, response) =>
      response.writeHead(200, { "content-type": "image/png" }).end("<!doctype html>");
    await expect(uploadFromUrl(ctx, at("/a.png"))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  test("of too much, announced or not, is broken off", async () => {
    const { ctx } = await makeProject(database.db);
    let written = 0;
    answer = (request, response) => {
      if (request.url === "/announced.png") response.setHeader("content-length", 30_000_000);
      response.on("error", () => undefined).write(png());
      const more = () => {
        do written++;
        while (written < 90 && response.write(Buffer.alloc(1024 * 1024)));
        if (written < 90) response.once("drain", more);
      };
      more();
    };
    for (const path of ["/announced.png", "/endless.png"]) {
      await expect(uploadFromUrl(ctx, at(path))).rejects.toMatchObject({
        details: [{ path: "url", message: "is larger than 25 MB" }],
      });
    }
    expect(written).toBeLessThan(90);
  });
});
