import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { decodeId } from "@/lib/ground/ids/ids";
import { listLanguages, textsFor } from "@/lib/ground/texts/texts";
import { confirmToken } from "@/lib/mail/tracking/tokens";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { makeProject } from "@/lib/testing";
import { htmlFaults } from "@/lib/testing/valid-html";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();
const email = "ada@example.com";
const codes = listLanguages().map(({ code }) => code);

const get = async (path: string, accept?: string) => {
  const headers = new Headers(accept === undefined ? [] : [["accept-language", accept]]);
  const answer = await app.fetch(new Request(`http://localhost${path}`, { headers }));
  return { answer, html: await answer.text() };
};

async function reader() {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx);
  const member = await join(ctx, list.id, email);
  const mail = await campaignMail(database.db, ctx, {
    ...{ contactId: member.contactId, email, listId: list.id },
  });
  return { ctx, projectId, list, member, mail, page: `/preferences/${mail.token}` };
}

const titleIn = (code: string) => `<h1>${textsFor(code).text("preferences.title")}</h1>`;

describe("a page's language is", () => {
  test("the one chosen there, else the person's, else the browser's, else the project's", async () => {
    const { ctx, page } = await reader();
    await updateProjectSettings(ctx, { language: "pl" });
    const said = async (path: string, accept?: string) => (await get(path, accept)).html;
    expect(await said(page)).toContain(titleIn("pl"));
    expect(await said(page, "nl, fr-CA;q=0.8, en;q=0.5")).toContain(titleIn("fr"));
    await updateContact(ctx, email, { data: { language: "de-AT" } });
    expect(await said(page, "fr")).toContain(titleIn("de"));
    expect(await said(`${page}?lang=es`, "fr")).toContain(titleIn("es"));
    expect(await said(`${page}?lang=xx`, "fr")).toContain(titleIn("de"));
  });

  test("another's link, which leads to what the page shows already", async () => {
    const { page } = await reader();
    const linksOf = (html: string) =>
      [...html.matchAll(/href="([^"]*lang=fr)"/g)].map(([, href]) => href);
    expect(linksOf((await get(page)).html)).toEqual([`${page}?lang=fr`]);
    const { html } = await get(`${page}?unsubscribe=&lang=es`);
    expect(linksOf(html)).toEqual([`${page}?unsubscribe=&amp;lang=fr`]);
    const way = (await get(`${page}?unsubscribe=`)).html.includes('value="leave-all"');
    expect(way).toBe(true);
  });

  test("kept by the forms of a page in which somebody chose it", async () => {
    const { page, mail } = await reader();
    expect((await get(`${page}?lang=es`)).html).toContain('name="lang" value="es"');
    const body = new URLSearchParams({ action: "leave-all", lang: "es" });
    const url = `http://localhost/t/preferences/${mail.token}`;
    const answer = await app.fetch(new Request(url, { method: "POST", body }));
    expect(answer.headers.get("location")?.split("&undo=")[0]).toBe(
      `${page}?done=leave-all&lang=es`,
    );
  });

  test("one of those there are: another is refused in the settings", async () => {
    const { ctx } = await reader();
    await expect(updateProjectSettings(ctx, { language: "tlh" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "language", message: "is not one of de, en, es, fr, pl" }],
    });
  });
});

describe.each(codes)("in %s", (code) => {
  test("each page is valid HTML, loads nothing and runs nothing", async () => {
    const { ctx, page, member, mail } = await reader();
    await updateProjectSettings(ctx, { name: "A & <B>", brandColor: "#1f6feb" });
    const confirm = `/confirm/${confirmToken(decodeId("subscriber", member.id) ?? "")}`;
    const pages = [page, `${page}?unsubscribe=`, confirm, "/preferences/nobody", "/view/nobody"];
    const url = `http://localhost/t/preferences/${mail.token}`;
    const show = async (path: string) => {
      const { answer, html } = await get(path, code);
      expect(html).toMatch(new RegExp(`^<!doctype html>\\s<html lang="${code}" dir="ltr">`));
      expect(await htmlFaults(html), path).toEqual([]);
      expect(html).not.toMatch(/<script|<img|<link|\bsrc=|undefined|\[object/);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'/,
      );
      expect(answer.headers.get("content-language")).toBe(code);
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    };
    for (const path of pages) await show(path);
    const body = new URLSearchParams({ action: "leave-all" });
    await app.fetch(new Request(url, { method: "POST", body }));
    await show(`${page}?done=leave-all`);
  });
});

test("a form that asks for nothing known is told so in the reader's language, and loses nothing", async () => {
  const { mail } = await reader();
  const answer = await app.fetch(
    new Request(`http://localhost/t/preferences/${mail.token}`, {
      method: "POST",
      body: new URLSearchParams({ action: "delete-everything" }),
      headers: { "accept-language": "fr" },
    }),
  );
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(textsFor("fr").text("page.refused.title"));
});
