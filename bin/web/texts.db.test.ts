import { afterAll, beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { catalogueOf } from "@/lib/ground/texts/catalogues";
import { close } from "./listen";
import { startWebServer } from "./test-server";

useTestDatabase();

let web: Awaited<ReturnType<typeof startWebServer>>;
beforeAll(async () => {
  web = await startWebServer();
});
afterAll(() => close(web.server));

test("a language is a script that browsers keep, at the address of its content alone", async () => {
  const { script, scriptPath } = catalogueOf("de")!;
  const answer = await fetch(`${web.origin}${scriptPath}`);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  expect(await answer.text()).toBe(script);
  const head = await fetch(`${web.origin}${scriptPath}`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const posted = await fetch(`${web.origin}${scriptPath}`, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["identity", null],
  ]) {
    const sent = await fetch(`${web.origin}${scriptPath}`, {
      headers: { "accept-encoding": accepted! },
    });
    expect(sent.headers.get("content-encoding"), accepted!).toBe(encoding);
    expect(sent.headers.get("vary")).toBe("accept-encoding");
    expect(await sent.text()).toBe(script);
    if (encoding)
      expect(Number(sent.headers.get("content-length"))).toBeLessThan(script.length / 2);
  }
  for (const path of ["/texts/de.000000000000.js", "/texts/", "/texts/en.js"]) {
    expect((await fetch(`${web.origin}${path}`)).status).toBe(404);
  }
});
