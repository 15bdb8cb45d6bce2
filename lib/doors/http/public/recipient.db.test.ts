import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { getContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { decodeId } from "@/lib/ground/ids/ids";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { campaignMail, join, makeList, snapshot } from "@/lib/testing/opt-outs";
import { makeProject } from "@/lib/testing";
import { confirmToken, contactToken, pixelToken } from "@/lib/mail/tracking/tokens";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();
const email = "ada@example.com";

const ask = (method: string, path: string, init: RequestInit = {}) =>
  app.fetch(new Request(`http://localhost${path}`, { method, ...init }));
const form = (fields: Record<string, string>): RequestInit => ({
  body: new URLSearchParams(fields),
});
const multipart = (): RequestInit => {
  const body = new FormData();
  body.set("List-Unsubscribe", "One-Click");
  return { body };
};
const oneClick = form({ "List-Unsubscribe": "One-Click" });

async function reader(html?: string) {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx);
  const member = await join(ctx, list.id, email);
  const mail = await campaignMail(database.db, ctx, {
    ...{ contactId: member.contactId, email, listId: list.id },
    ...(html === undefined ? {} : { html }),
  });
  const status = async () => (await getSubscriber(ctx, member.id)).status;
  return { ctx, projectId, list, member, mail, status };
}

describe("one-click unsubscribe (RFC 8058)", () => {
  test.each([
    ["urlencoded", oneClick],
    ["multipart", multipart()],
    ["no body at all", {}],
  ])(
    "a POST, %s, without a cookie leaves the list: 200, no redirect, again too",
    async (_, init) => {
      const { mail, status, projectId } = await reader();
      for (let times = 0; times < 2; times++) {
        const answer = await ask("POST", `/t/u/${mail.token}`, init);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("location")).toBeNull();
        expect(answer.headers.get("set-cookie")).toBeNull();
        expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
        expect(await answer.text()).toBe("You are unsubscribed.\n");
        expect(await status()).toBe("unsubscribed");
      }
      const after = await snapshot(database.db, projectId);
      expect(after.match(/"name": ?"unsubscribed"/g)).toHaveLength(1);
    },
  );

  test("GET, HEAD and OPTIONS change nothing; GET leads to the page with the button", async () => {
    const { mail, projectId } = await reader();
    const before = await snapshot(database.db, projectId);
    for (const method of ["GET", "HEAD"]) {
      const answer = await ask(method, `/t/u/${mail.token}`);
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toBe(`/preferences/${mail.token}?unsubscribe=`);
    }
    for (const method of ["OPTIONS", "PUT", "DELETE"]) {
      expect((await ask(method, `/t/u/${mail.token}`)).status).toBe(405);
    }
    expect(await snapshot(database.db, projectId)).toBe(before);
  });

  test("an unknown token is 404, another link's token too, and a deleted person's is 200", async () => {
    const { ctx, mail, projectId } = await reader();
    const before = await snapshot(database.db, projectId);
    const others = [pixelToken(mail.emailId), confirmToken(mail.emailId), `${mail.token}x`, "%00"];
    for (const token of [...others, "x".repeat(2000)]) {
      expect((await ask("POST", `/t/u/${token}`, oneClick)).status).toBe(404);
    }
    expect(await snapshot(database.db, projectId)).toBe(before);
    await deleteContact(ctx, email);
    expect((await ask("POST", `/t/u/${mail.token}`, oneClick)).status).toBe(200);
  });

  test("a body beyond 64 kB is refused and changes nothing", async () => {
    const { mail, status } = await reader();
    const answer = await ask("POST", `/t/u/${mail.token}`, { body: "x".repeat(70_000) });
    expect(answer.status).toBe(413);
    expect(await status()).toBe("subscribed");
  });

  test("a person's own token leaves the list it names", async () => {
    const { member, list, status } = await reader();
    const ids = [decodeId("contact", member.contactId), decodeId("list", list.id)] as const;
    const token = contactToken(ids[0] ?? "", ids[1] ?? "");
    expect((await ask("POST", `/t/u/${token}`, oneClick)).status).toBe(200);
    expect(await status()).toBe("unsubscribed");
  });
});

describe("the pages' forms", () => {
  test("do what they say and lead back to the page; what they do not know they refuse", async () => {
    const { ctx, mail, list, status } = await reader();
    const post = (fields: Record<string, string>) =>
      ask("POST", `/t/preferences/${mail.token}`, form(fields));
    const left = await post({ action: "leave", list: list.id });
    expect(left.status).toBe(303);
    expect(left.headers.get("location")?.split("&undo=")[0]).toBe(
      `/preferences/${mail.token}?done=leave&list=${list.id}`,
    );
    expect(await status()).toBe("unsubscribed");
    const all = await post({ action: "leave-all" });
    expect(all.headers.get("location")?.split("&undo=")[0]).toBe(
      `/preferences/${mail.token}?done=leave-all`,
    );
    expect((await getContact(ctx, email)).subscribed).toBe(false);
    await post({ action: "return" });
    expect((await getContact(ctx, email)).subscribed).toBe(true);
    for (const fields of [{}, { action: "delete" }, { action: "leave" }]) {
      expect((await post(fields as Record<string, string>)).status).toBe(400);
    }
    const unknown = await ask("POST", "/t/preferences/nobody", form({ action: "leave-all" }));
    expect(unknown.status).toBe(404);
    expect((await ask("GET", `/t/preferences/${mail.token}`)).status).toBe(405);
  });

  test.each([
    // A browser counts a line break once, and sends it as two characters.
    ["as long as the field allows, in lines", { comment: "Too much.\r\n".repeat(100) }, 999],
    ["longer than that", { comment: `${"a".repeat(999)}\u{1f642}${"a".repeat(5_000)}` }, 1_000],
    ["with what cannot be stored", { comment: "Too\0 much" }, 8],
    ["with a reason that is none", { reason: "because", comment: "Bye" }, 3],
  ])("nothing about why hinders leaving: %s", async (_, why, kept) => {
    const { ctx, mail } = await reader();
    const fields = { action: "leave-all", ...why };
    const answer = await ask("POST", `/t/preferences/${mail.token}`, form(fields));
    expect(answer.status).toBe(303);
    const contact = await getContact(ctx, email);
    expect(contact.subscribed).toBe(false);
    const { data } = await listSubscriptionChanges(ctx, contact.id, { limit: 1 });
    expect(data[0]).toMatchObject({ after: "unsubscribed", reason: null });
    expect(data[0]?.comment).toHaveLength(kept);
  });

  test("confirming leads back to its page, and only POST confirms", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx, { subscribeConfirmation: true });
    const member = await join(ctx, list.id, email);
    const token = confirmToken(decodeId("subscriber", member.id) ?? "");
    expect((await ask("GET", `/t/confirm/${token}`)).status).toBe(405);
    expect((await getSubscriber(ctx, member.id)).status).toBe("unconfirmed");
    const answer = await ask("POST", `/t/confirm/${token}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/confirm/${token}`]);
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect((await ask("POST", `/t/confirm/${token}x`)).status).toBe(404);
  });
});

describe("viewing a mail in the browser", () => {
  test("shows it to the holder of its link, where it can run nothing, and changes nothing", async () => {
    const html = `<html><body><p>Dear {{ email }}</p><script>alert(1)</script></body></html>`;
    const { mail, projectId } = await reader(html);
    const before = await snapshot(database.db, projectId);
    const answer = await ask("GET", `/view/${mail.token}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(`<p>Dear ${email}</p>`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/sandbox(?!.*allow-scripts)(?!.*allow-same-origin)/);
    expect(policy).toMatch(/form-action 'none'.*base-uri 'none'/);
    expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("cache-control")).toMatch(/no-store/);
    expect(await snapshot(database.db, projectId)).toBe(before);
  });

  test("says how wide it is where the mail does not, and leaves the rest of it as it is", async () => {
    const meta = '<meta name="viewport" content="width=device-width, initial-scale=1">';
    const own = '<!doctype html><html><head><meta name=viewport content="width=600"></head><p>Hi';
    const pages = {
      "<p>Hi": `${meta}<p>Hi`,
      "<!DOCTYPE html><html dir=rtl><p>Hi": `<!DOCTYPE html><html dir=rtl>${meta}<p>Hi`,
      "<html><head><title>x</title></head><header>Hi": `<html><head>${meta}<title>x</title></head><header>Hi`,
      [own]: own,
    };
    for (const [html, shown] of Object.entries(pages)) {
      const { mail } = await reader(html);
      expect(await (await ask("GET", `/view/${mail.token}`)).text()).toContain(shown);
    }
  });

  test("says plainly that there is nothing, for unknown links and deleted people", async () => {
    const { ctx, mail } = await reader();
    const nothing = async (token: string) => {
      const answer = await ask("GET", `/view/${token}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("<h1>Nothing to show</h1>");
    };
    await nothing("nobody");
    await nothing(pixelToken(mail.emailId));
    await deleteContact(ctx, email);
    await nothing(mail.token);
  });
});
