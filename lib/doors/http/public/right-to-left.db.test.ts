import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import PostalMime from "postal-mime";
import { beforeAll, expect, test, vi } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getFormMarkup } from "@/lib/domain/forms/preview";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { createTopic } from "@/lib/domain/topics/topics";
import { decodeId } from "@/lib/ground/ids/ids";
import { listLanguages, textsFor } from "@/lib/ground/texts/texts";
import { confirmToken } from "@/lib/mail/tracking/tokens";
import { formVisitors, linkIn } from "@/lib/testing/forms";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { htmlFaults } from "@/lib/testing/valid-html";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const { ask, setUp } = formVisitors(createTrackingApp(), database);
const folder = "lib/ground/texts/languages";

/** A further language is one file: here it lies beside copies of the others, where the product reads them. */
beforeAll(() => {
  const root = mkdtempSync(joinPath(tmpdir(), "languages-"));
  cpSync(folder, joinPath(root, folder), { recursive: true });
  const english = JSON.parse(readFileSync(`${folder}/en.json`, "utf8")) as Record<string, string>;
  const arabic = {
    "language.name": "العربية",
    "preferences.title": "تفضيلات البريد",
    "form.title": "اشترك في {name}",
    "form.email": "البريد الإلكتروني",
  };
  writeFileSync(joinPath(root, folder, "ar.json"), JSON.stringify({ ...english, ...arabic }));
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(root);
  expect(listLanguages().map(({ code }) => code)).toContain("ar");
  cwd.mockRestore();
  rmSync(root, { recursive: true });
});

/** Properties and values that would stay on their side when the page turns over. */
const oneSided =
  /(^|[\s;{-])(left|right)\b|float\s*:|(?<!-)\b(width|height)\s*:|(margin|padding|border)-(top|bottom)/;
const stylesIn = (html: string) =>
  [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, rules]) => rules).join("\n");

test("a language that is written from right to left turns every page over, forms and snippet too", async () => {
  const { ctx, path, form } = await setUp({
    list: true,
    language: "ar",
    questions: [{ key: "firstName", label: "", required: true }],
  });
  await updateProjectSettings(ctx, { language: "ar" });
  const list = await makeList(ctx, { name: "News" });
  await createTopic(ctx, { name: "Events" });
  const member = await join(ctx, list.id, "ada@example.com");
  const mail = await campaignMail(database.db, ctx, {
    ...{ ...member, email: "ada@example.com", listId: list.id },
  });
  const confirm = `/confirm/${confirmToken(decodeId("subscriber", member.id) ?? "")}`;
  const preferences = `/preferences/${mail.token}`;
  const headers = { "accept-language": "ar-EG" };
  for (const page of [
    preferences,
    `${preferences}?unsubscribe`,
    confirm,
    path,
    `${path}/sent`,
    "/view/x",
    "/t/x",
  ]) {
    const html = await (await ask(page, { headers })).text();
    expect(html, page).toContain('<html lang="ar" dir="rtl">');
    expect(await htmlFaults(html), page).toEqual([]);
    expect(stylesIn(html), page).not.toMatch(oneSided);
  }
  const { html } = await getFormMarkup(ctx, form.id, {});
  expect(html).toContain('lang="ar" dir="rtl"');
  expect(html).toContain("اشترك في Weekly");
  expect(stylesIn(html)).not.toMatch(oneSided);
});

test("and the mails, in which nothing is on one side alone", async () => {
  const { ctx, fill, mails } = await setUp({ list: true });
  await updateProjectSettings(ctx, { language: "ar" });
  await fill({ email: "ada@example.com" }, { headers: { "accept-language": "ar" } });
  const [asked] = await mails();
  expect(linkIn(asked?.text ?? "")).not.toBe("");
  const { html = "" } = await PostalMime.parse(asked?.raw ?? "");
  expect(html).toMatch(/<html[^>]* dir="rtl"[^>]*lang="ar"|<html[^>]* lang="ar"[^>]*dir="rtl"/);
  expect(html).not.toMatch(/text-align:\s*(left|right)|float/);
  const styles = [...html.matchAll(/style="([^"]*)"/g)].map(([, style = ""]) => style);
  expect(styles.length).toBeGreaterThan(5);
  for (const style of styles) {
    const side = (name: string) =>
      ["margin", "padding"].map((what) => style.split(`${what}-${name}:`)[1]?.split(";")[0]);
    expect(side("left"), style).toEqual(side("right"));
  }
  expect(textsFor("ar-EG").dir).toBe("rtl");
});
