import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createForm } from "@/lib/domain/forms/forms";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { brand } from "@/lib/mail/design/brand-schema";
import { confirmToken } from "@/lib/mail/tracking/tokens";
import { makeProject } from "@/lib/testing";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { htmlFaults } from "@/lib/testing/valid-html";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();

async function read(path: string) {
  const answer = await app.fetch(new Request(`http://localhost${path}`));
  expect(answer.status, path).toBe(200);
  return {
    html: await answer.text(),
    policy: answer.headers.get("content-security-policy") ?? "",
  };
}

/** The pages that show a project to its recipients, and its files' public address. */
async function recipientsPages() {
  const { ctx, projectId } = await makeProject(database.db, { name: "Tea & Co" });
  const list = await makeList(ctx);
  const member = await join(ctx, list.id, "ada@example.com");
  const { token } = await campaignMail(database.db, ctx, { ...member, listId: list.id });
  const form = await createForm(ctx, { name: "Footer", look: { theme: "dark", corner: 12 } });
  return {
    ctx,
    files: `/files/${encodeId("project", projectId)}`,
    pages: [
      ...[`/preferences/${token}`, `/preferences/${token}?unsubscribe`],
      `/preferences/${token}?done=leave-all`,
      `/confirm/${confirmToken(decodeId("subscriber", member.id) ?? "")}`,
      ...[`/f/${form.id}`, `/f/${form.id}/sent`],
    ],
  };
}

const choose = (ctx: Context, src: string | null, sheet = "#ffffff") =>
  updateProjectSettings(ctx, {
    brand: brand.parse({ theme: { sheet }, logo: src === null ? null : { src, alt: "Of mails" } }),
  });

test("the logo that a project has uploaded stands on its pages, named by the project, from us alone", async () => {
  const { ctx, files, pages } = await recipientsPages();
  await choose(ctx, `http://localhost:3000${files}/logos/%C3%84%22.png`, "#0b2a5b");
  for (const path of pages) {
    const { html, policy } = await read(path);
    expect(html, path).toContain(`<img src="${files}/logos/%C3%84%22.png" alt="Tea &amp; Co"/>`);
    // Neither beside it nor in its place.
    expect(html).not.toContain('<p class="brand"');
    expect(html.match(/<img/g)).toHaveLength(1);
    // A logo made for dark paper is on dark paper, whichever theme the page has.
    expect(html).toContain(".brand.logo { background: #0b2a5b; color: #ffffff");
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form/,
    );
    expect(await htmlFaults(html), path).toEqual([]);
  }
});

test.each([
  ["there is none", () => null],
  ["it is on another server", () => "https://cdn.example.org/logo.png"],
  ["it is another project's", () => `http://localhost:3000/files/${anothersId()}/logo.png`],
])("where %s, the pages say the name and load nothing", async (_, address) => {
  const { ctx, pages } = await recipientsPages();
  const before = await Promise.all(pages.map(read));
  await choose(ctx, address());
  for (const [at, path] of pages.entries()) {
    const { html, policy } = await read(path);
    expect(html, path).toContain("<span>Tea &amp; Co</span>");
    expect(html).not.toMatch(/<img|\.logo/);
    expect(policy).toBe(before[at]?.policy);
  }
});

const anothersId = () => encodeId("project", newUnownedId());

test("a page of no project has no logo", async () => {
  const answer = await app.fetch(new Request("http://localhost/preferences/nobody"));
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-security-policy")).not.toContain("img-src");
});
