import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { uploadFile } from "@/lib/domain/files/files";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { handleRequest } from "@/lib/doors/http/mounts";

const database = useTestDatabase();
let dataDir = "";

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "lettermill-test-"));
  process.env["DATA_DIR"] = dataDir;
  reloadEnv();
});
afterAll(async () => {
  delete process.env["DATA_DIR"];
  reloadEnv();
  await rm(dataDir, { recursive: true, force: true });
});

const get = (url: string, init?: RequestInit) => handleRequest(new Request(url, init));
const kept = async (filename: string, content: string | Buffer, subdirectory?: string) => {
  const { ctx, projectId } = await makeProject(database.db);
  const file = await uploadFile(ctx, { filename, file: [Buffer.from(content)], subdirectory });
  return { file, base: `http://localhost:3000/files/${encodeId("project", projectId)}` };
};
const png = Buffer.from("\x89PNG\r\n\x1a\nbytes", "latin1");

describe("a public file", () => {
  test("is answered to everyone with its type, length and headers that let nothing run", async () => {
    const { file } = await kept("Ä (1).png", png, "logos");
    const response = await get(file.url);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "image/png",
      "content-length": String(png.length),
      "content-disposition": "inline; filename*=UTF-8''%C3%84%20%281%29.png",
      "cache-control": "public, max-age=3600, stale-while-revalidate=604800",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/) as string,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
    const head = await get(file.url, { method: "HEAD" });
    expect([head.headers.get("content-length"), head.body]).toEqual([String(png.length), null]);
    const etag = response.headers.get("etag") ?? "";
    const again = await get(file.url, { headers: { "if-none-match": `"other", W/${etag}` } });
    expect([again.status, again.body]).toEqual([304, null]);
  });

  test.each([
    ["drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>"],
    ["notes.txt", "hello"],
    ["terms.pdf", "%PDF-1.7"],
  ])("that is no plain picture is downloaded, never opened: %s", async (name, content) => {
    const { file } = await kept(name, content);
    const { headers } = await get(file.url);
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });

  test("is not found through any other spelling of a place", async () => {
    const { file, base } = await kept("a.png", png, "x");
    expect((await get(`${base}/x/a.png`)).status).toBe(200);
    const { base: elsewhere } = await kept("b.png", png);
    for (const url of [
      `${elsewhere}/x/a.png`,
      `${base}/a.png`,
      `${base}/x//a.png`,
      `${base}/x%5Ca.png`,
      `${base}/y/%2e%2e%2fx/a.png`,
      `${base}/%2e%2e%2f%2e%2e%2fetc/passwd`,
      `${base}/x/a.png%00`,
      `${base}/%ff`,
      `${base}/X/A.PNG`,
      `${base}/`,
      base,
      `http://localhost:3000/files/${file.id}/x/a.png`,
      "http://localhost:3000/files/",
    ]) {
      const response = await get(url);
      expect([url, response.status]).toEqual([url, 404]);
      expect(await response.text()).toBe("There is no such file.\n");
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("takes no writes", async () => {
    const { file } = await kept("a.png", png);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await get(file.url, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});
