import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { personRequestKinds } from "@/db/enums";
import { createTopic } from "@/lib/domain/topics/topics";
import { decodeId, newUnownedId } from "@/lib/ground/ids/ids";
import english from "@/lib/ground/texts/languages/en.json";
import { listLanguages, textsFor, type TextKey } from "@/lib/ground/texts/texts";
import { confirmToken, personRequestToken } from "@/lib/mail/tracking/tokens";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { makeProject } from "@/lib/testing";
import { htmlFaults } from "@/lib/testing/valid-html";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();

/** English sentences that hold no values and stand in the language's file in other words. */
function foreignTo(code: string): string[] {
  const { text } = textsFor(code);
  return Object.entries(english)
    .filter(([key, words]) => !/[{<]/.test(words) && text(key as TextKey) !== words)
    .map(([, words]) => words)
    .filter((words) => words.length > 5 && words !== english["language.name"]);
}

/** The words of a page, as its reader sees them. */
const wordsOf = (html: string) =>
  html
    .replace(/<style[\s\S]*?<\/style>/g, "")
    .split(/<[^>]*>/)
    .map((piece) => piece.replaceAll("&#39;", "'").replaceAll("&amp;", "&").trim())
    .filter((piece) => piece !== "");

/** Addresses of every page that the links of somebody's mail lead to, in each of its states. */
async function pages() {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx, { name: "Qq" });
  const topic = await createTopic(ctx, { name: "Zz" });
  const member = await join(ctx, list.id, "ada@example.com");
  const mail = await campaignMail(database.db, ctx, { ...member, listId: list.id });
  const preferences = `/preferences/${mail.token}`;
  const done = Object.keys(english)
    .filter((key) => key.startsWith("preferences.done."))
    .map((key) => `${preferences}?done=${key.slice(17)}&list=${list.id}&topic=${topic.id}`);
  const requests: string[] = [];
  for (const kind of personRequestKinds) {
    for (const state of ["open", "done", "expired"] as const) {
      const id = newUnownedId();
      await database.db.execute(sql`
        insert into person_requests (id, project_id, contact_id, kind, email, previous_email, created_at, done_at)
        values (${id}, ${projectId}, ${decodeId("contact", member.contactId)}, ${kind}, 'new@example.com', 'ada@example.com',
          app_now() - make_interval(days => ${state === "expired" ? 9 : 0}), ${state === "done" ? sql`app_now()` : null})`);
      requests.push(`/request/${personRequestToken(id)}`);
    }
  }
  const open = [
    ...[preferences, `${preferences}?unsubscribe`, ...done, ...requests],
    `/confirm/${confirmToken(decodeId("subscriber", member.id) ?? "")}`,
    ...["/preferences/x", "/confirm/x", "/request/x", "/view/x"],
  ];
  const choose = async (fields: Record<string, string>) => {
    const url = `http://localhost/t/preferences/${mail.token}`;
    const body = new URLSearchParams(fields);
    expect((await app.fetch(new Request(url, { method: "POST", body }))).status).toBe(303);
  };
  return { open, preferences, choose };
}

test("every page in every state and language is valid HTML, and says nothing in English elsewhere", async () => {
  const { open, preferences, choose } = await pages();
  const codes = listLanguages().map(({ code }) => code);
  const faults: string[] = [];
  const look = async (path: string) => {
    for (const code of codes) {
      const answer = await app.fetch(
        new Request(`http://localhost${path}`, { headers: { "accept-language": code } }),
      );
      expect(answer.status, path).toBeLessThan(500);
      const html = await answer.text();
      expect(html, path).toContain(`<html lang="${code}" dir="ltr">`);
      for (const fault of await htmlFaults(html)) faults.push(`${path} ${code}: ${fault}`);
      const words = new Set(wordsOf(html));
      // Each page has sentences that would be found if it were the wrong language's.
      if (code === "en")
        expect(
          foreignTo("de").some((one) => words.has(one)),
          path,
        ).toBe(true);
      for (const sentence of foreignTo(code)) {
        if (words.has(sentence)) faults.push(`${path} ${code}: ${sentence}`);
      }
    }
  };
  for (const path of open) await look(path);
  await choose({ action: "pause", days: "30" });
  await choose({ action: "weekly" });
  await look(preferences);
  await choose({ action: "leave-all" });
  await look(preferences);
  expect(faults).toEqual([]);
}, 120_000);
