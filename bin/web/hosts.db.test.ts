import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { mailPerson } from "@/lib/domain/person-requests/mails";
import { capturedEmails, contacts, emails, personRequests, trackingHosts } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { uploadFile } from "@/lib/domain/files/files";
import { updateDomain } from "@/lib/domain/sending-domains/domains";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { confirmToken, contactToken, personRequestToken } from "@/lib/mail/tracking/tokens";
import { sessionCookie } from "@/lib/testing";
import { join, makeList } from "@/lib/testing/opt-outs";
import { createWebServer } from "./server";
import { appName, useHosts, withSettings } from "@/lib/testing/hosts";

const database = useTestDatabase();
const { ask, post, hosted, sendCampaign, verified } = useHosts(database, () =>
  createWebServer({
    pages: (_, response) => {
      response.end("a page of the dashboard");
      return Promise.resolve();
    },
    dev: false,
    signal: new AbortController().signal,
  }),
);

describe("requests under such a host", () => {
  it("reach nothing but the project's pages for recipients", async () => {
    const { host, projectId, apiKey, userId } = await hosted();
    const bearer = { authorization: `Bearer ${apiKey}` };
    const cookie = { cookie: await sessionCookie(database.db, userId) };
    const dashboard = `/api/dashboard/${encodeId("project", projectId)}/domains`;
    expect((await ask("/v1/domains", { headers: bearer })).status).toBe(200);
    expect((await ask(dashboard, { headers: cookie })).status).toBe(200);
    for (const [path, headers] of [
      ...["/", "/sign-in", "/dashboard", "/docs", "/login/token/x", "/_next/static/x.js"].map(
        (one) => [one, cookie],
      ),
      ...["/v1/domains", "/emails", "/api/v1/subscribers", "/mcp", "/api/cron/tick"].map((one) => [
        one,
        bearer,
      ]),
      ...["/oauth/token", "/.well-known/oauth-authorization-server", "/api/auth/session"].map(
        (one) => [one, cookie],
      ),
      [dashboard, cookie],
    ] as [string, Record<string, string>][]) {
      expect(await ask(path, { host, headers }), path).toMatchObject({ status: 404, text: "" });
    }
    for (const path of ["/healthz", "/readyz"])
      expect((await ask(path, { host })).status).toBe(200);
  });

  it("know nothing of another project", async () => {
    const [ours, theirs] = [await hosted(), await hosted()];
    const { paths } = await sendCampaign(theirs);
    const file = await uploadFile(theirs.ctx, {
      file: [Buffer.from("%PDF-1.7 a file")],
      filename: "menu.pdf",
    });
    const { host } = ours;
    for (const path of [paths.click, paths.pixel, paths.preferences, paths.view]) {
      const foreign = await ask(path, { host });
      expect(foreign.status, path).toBe(404);
      expect(foreign.text).not.toMatch(/Test project|shop\.example/);
      expect((await ask(path, { host: theirs.host })).status, path).toBeLessThan(400);
    }
    expect((await ask(new URL(file.url).pathname, { host })).status).toBe(404);
    expect((await post(paths.oneClick, "List-Unsubscribe=One-Click", host)).status).toBe(404);
    expect((await post(`/t${paths.preferences}`, "action=leave-all", host)).status).toBe(404);
    const [mail] = await database.db
      .select({ opens: emails.opens, consent: contacts.consent })
      .from(emails)
      .innerJoin(contacts, eq(contacts.id, emails.contactId))
      .where(eq(emails.projectId, theirs.projectId));
    expect(mail).toEqual({ opens: 1, consent: "subscribed" });
  });

  it("take no other link of another project either", async () => {
    const [ours, theirs] = [await hosted(), await hosted()];
    const list = await makeList(theirs.ctx, { fromEmail: `news@${theirs.name}` });
    const member = await join(theirs.ctx, list.id, "ada@example.org");
    const subscriberId = decodeId("subscriber", member.id) ?? "";
    const contactId = decodeId("contact", member.contactId) ?? "";
    const requestId = newId(theirs.projectId);
    const { projectId } = theirs;
    await database.db
      .insert(personRequests)
      .values({ id: requestId, projectId, contactId, kind: "download" });
    for (const path of [
      `/confirm/${confirmToken(subscriberId)}`,
      `/preferences/${contactToken(contactId)}`,
      `/request/${personRequestToken(requestId)}`,
    ]) {
      expect((await ask(path, { host: theirs.host })).status, path).toBe(200);
      expect((await ask(path, { host: ours.host })).status, path).toBe(404);
      const posted = await post(`/t${path}`, "action=confirm", ours.host);
      expect(posted.status, path).toBe(404);
    }
  });

  it("find nothing at all under a name that is nobody's, health apart", async () => {
    for (const path of ["/", "/v1/domains", "/t/o/x.gif", "/preferences/x", "/_next/x"]) {
      expect(await ask(path, { host: "stranger.example.org" })).toMatchObject({
        status: 421,
        text: "",
      });
    }
    expect((await ask("/healthz", { host: "stranger.example.org" })).status).toBe(200);
    // Names that cannot lead here from outside are those of programs beside this one.
    for (const host of [
      "web:3000",
      "localhost",
      "127.0.0.1:3000",
      "[::1]",
      "web.prod.svc.cluster.local",
    ]) {
      expect((await ask("/v1/domains", { host })).status, host).toBe(401);
    }
    const { status } = await withSettings({ APP_HOSTS: "Mail.Example.org" }, () =>
      ask("/v1/domains", { host: "mail.example.org" }),
    );
    expect(status).toBe(401);
  });

  it("may be told by a trusted proxy, and by nobody else", async () => {
    const { host } = await hosted();
    const { status: direct } = await ask("/dashboard", { headers: { "x-forwarded-host": host } });
    expect(direct).toBe(200);
    await withSettings({ TRUSTED_PROXIES: "127.0.0.1" }, async () => {
      const forwarded = { host: "web:3000", headers: { "x-forwarded-host": host } };
      expect((await ask("/dashboard", forwarded)).status).toBe(404);
      const app = { host: "stranger.example.org", headers: { "x-forwarded-host": appName } };
      expect((await ask("/dashboard", app)).status).toBe(200);
    });
  });
});

describe("/internal/tls-ask", () => {
  const asks = (domain: string, headers: Record<string, string> = {}, host = "web:3000") =>
    ask(`/internal/tls-ask?domain=${domain}`, { host, headers }).then(({ status }) => status);

  it("says yes for our own name and for hosts that lead to a project, and no for all others", async () => {
    const { host, ctx, domain } = await hosted();
    expect(await asks(host)).toBe(200);
    expect(await asks(appName)).toBe(200);
    expect(await asks("stranger.example.org")).toBe(404);
    expect(await asks("")).toBe(404);
    expect(await asks("'%00")).toBe(404);
    // Links that went out are opened for years.
    await updateDomain(ctx, domain.id, { trackingHost: null });
    expect(await asks(host)).toBe(200);
  });

  it("is told to the proxy alone, not to those behind it", async () => {
    const { host } = await hosted();
    expect(await asks(host, { "x-forwarded-for": "203.0.113.7" })).toBe(404);
    await withSettings({ TRUSTED_PROXIES: "127.0.0.1" }, async () => {
      expect(await asks(host, { "x-forwarded-for": "203.0.113.7" })).toBe(404);
      expect(await asks(host)).toBe(200);
    });
  });
});

it("a host goes with its project", async () => {
  const { projectId, host } = await hosted();
  await database.db.execute(sql`delete from projects where id = ${projectId}`);
  const rows = await database.db.select().from(trackingHosts).where(eq(trackingHosts.host, host));
  expect(rows).toEqual([]);
});

describe("mail to a person about their own data", () => {
  it("leads to the host of the domain that it comes from, and to APP_URL without one", async () => {
    const [made, plain] = [await hosted(), await verified()];
    for (const [{ projectId }, base] of [
      [made, made.base],
      [plain, `http://${appName}:`],
    ] as const) {
      await mailPerson(database.db, projectId, "ada@example.org", {
        kind: "download",
        link: (urls) => urls.personRequest(newId(projectId)),
        languages: [],
      });
      const [mail] = await database.db
        .select({ raw: capturedEmails.raw })
        .from(capturedEmails)
        .where(eq(capturedEmails.projectId, projectId));
      const { text = "" } = await PostalMime.parse(mail?.raw ?? "");
      expect(/http\S+\/request\//.exec(text)?.[0]).toMatch(base);
    }
  });
});
