import { createServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { contacts, domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { uploadFile } from "@/lib/domain/files/files";
import {
  createDomain,
  deleteDomain,
  getDomain,
  updateDomain,
} from "@/lib/domain/sending-domains/domains";
import { checkDueDomains, verifyDomain } from "@/lib/domain/sending-domains/verify";
import { makeProject } from "@/lib/testing";
import { close, listen } from "./listen";
import { createWebServer } from "./server";
import { appName, trackingOf, useHosts, withSettings } from "@/lib/testing/hosts";

/* Against a real name server and the web server itself: the check asks the host over HTTP, as readers do. */
const database = useTestDatabase();
const { started, ask, post, publish, verified, hosted, sendCampaign } = useHosts(database, () =>
  createWebServer({
    pages: (_, response) => {
      response.end("a page of the dashboard");
      return Promise.resolve();
    },
    dev: false,
    signal: new AbortController().signal,
  }),
);

describe("a domain's host for its links", () => {
  it("is shown as a CNAME record that is not required, and is used once it leads here", async () => {
    const made = await verified();
    const host = `links.${made.name}`;
    const named = await updateDomain(made.ctx, made.domain.id, {
      trackingHost: `${host.toUpperCase()}.`,
    });
    expect(named).toMatchObject({ trackingHost: host, trackingHostActive: false });
    expect(trackingOf(named)).toMatchObject({
      ...{ type: "CNAME", name: host, value: appName, required: false, status: "PENDING" },
    });
    const missing = await verifyDomain(made.ctx, named.id);
    expect(missing).toMatchObject({ status: "VERIFIED", trackingHostActive: false });
    expect(trackingOf(missing)).toMatchObject({ status: "FAILED", problem: { kind: "missing" } });

    publish(named, ["TRACKING"]);
    const active = await verifyDomain(made.ctx, named.id);
    expect(active.trackingHostActive).toBe(true);
    expect(trackingOf(active)).toMatchObject({
      status: "VERIFIED",
      found: [appName],
      problem: null,
    });
    expect(await getDomain(made.ctx, named.id)).toEqual(active);
  });

  it("may be an alias of an alias, and is found by the checks that come by themselves", async () => {
    const made = await verified();
    const host = `links.${made.name}`;
    await updateDomain(made.ctx, made.domain.id, { trackingHost: host });
    started.dns.cname(host, "agency.example.net");
    started.dns.cname("agency.example.net", appName);
    started.dns.addresses(host, "127.0.0.1");
    await database.travel("2 minutes");
    await checkDueDomains(database.db);
    expect((await getDomain(made.ctx, made.domain.id)).trackingHostActive).toBe(true);
    started.dns.cname("agency.example.net", "elsewhere.example.net");
    await database.travel("61 minutes");
    await checkDueDomains(database.db);
    const lost = await getDomain(made.ctx, made.domain.id);
    expect(lost).toMatchObject({ status: "VERIFIED", trackingHostActive: false });
    expect(trackingOf(lost)).toMatchObject({
      found: ["agency.example.net", "elsewhere.example.net"],
      problem: { kind: "different" },
    });
  });

  it("is named in every address of its mail, and its files' too", async () => {
    const project = await hosted();
    const file = await uploadFile(project.ctx, {
      file: [Buffer.from("%PDF-1.7 a file")],
      filename: "menu.pdf",
    });
    expect(file.url).toContain(`//${appName}:${started.port}/files/`);
    const html = `<p><a href="https://shop.example/a">A</a> <a href="{{ viewUrl }}">View</a>
      <a href="${file.url}">Menu</a><img src="${file.url}" alt="Menu"></p>`;
    const { mail, urls, paths } = await sendCampaign(project, html);
    expect(mail.raw.toString()).not.toContain(appName);
    expect(urls.every((url) => url.startsWith(`${project.base}/`))).toBe(true);
    expect(paths.oneClick).not.toBe("");
    // The footer's way out, and the text's.
    expect(mail.text).toContain(`${project.base}/preferences/`);

    const { host } = project;
    const click = await ask(paths.click, { host });
    expect([click.status, click.headers["location"]]).toEqual([302, "https://shop.example/a"]);
    const pixel = await ask(paths.pixel, { host });
    expect([pixel.status, pixel.headers["content-type"]]).toEqual([200, "image/gif"]);
    expect((await ask(paths.preferences, { host })).text).toContain("Test project");
    expect((await ask(paths.view, { host })).text).toContain(">Menu</a>");
    expect((await ask(new URL(file.url).pathname, { host })).text).toBe("%PDF-1.7 a file");
  });

  it("takes one-click unsubscribe", async () => {
    const project = await hosted();
    const { paths } = await sendCampaign(project);
    const { status } = await post(paths.oneClick, "List-Unsubscribe=One-Click", project.host);
    expect(status).toBe(200);
    const [person] = await database.db
      .select({ consent: contacts.consent })
      .from(contacts)
      .where(eq(contacts.projectId, project.projectId));
    expect(person?.consent).toBe("unsubscribed");
  });

  it("leaves links from before at work when it is switched off, and new ones lead to APP_URL", async () => {
    const project = await hosted();
    const before = await sendCampaign(project);
    const off = await updateDomain(project.ctx, project.domain.id, { trackingHost: null });
    expect(off).toMatchObject({ trackingHost: null, trackingHostActive: false });
    expect(trackingOf(off)).toBeUndefined();
    const after = await sendCampaign(project);
    expect(after.urls.every((url) => url.startsWith(`http://${appName}:${started.port}/`))).toBe(
      true,
    );
    for (const { paths } of [before, after]) {
      for (const host of [project.host, appName]) {
        expect((await ask(paths.click, { host })).status).toBe(302);
      }
    }
    await deleteDomain(project.ctx, project.domain.id);
    expect((await ask(before.paths.click, { host: project.host })).status).toBe(302);
  });

  it("falls back to APP_URL when the record goes, and comes back with it", async () => {
    const project = await hosted();
    const before = await sendCampaign(project);
    started.dns.clear(project.host);
    const lost = await verifyDomain(project.ctx, project.domain.id);
    expect(lost).toMatchObject({ status: "VERIFIED", trackingHostActive: false });
    const during = await sendCampaign(project);
    expect(during.urls.every((url) => url.startsWith(`http://${appName}:${started.port}/`))).toBe(
      true,
    );
    publish(lost, ["TRACKING"]);
    expect((await verifyDomain(project.ctx, lost.id)).trackingHostActive).toBe(true);
    expect((await ask(before.paths.click, { host: project.host })).status).toBe(302);
  });

  it("keeps its links while a name server or the host itself gives no answer", async () => {
    const { ctx, domain, host } = await hosted();
    started.dns.misbehave(host, "SERVFAIL");
    expect(await verifyDomain(ctx, domain.id)).toMatchObject({ trackingHostActive: true });
    started.dns.misbehave(host, null);
    // Nobody listens there.
    const closed = createTcpServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port: deadPort } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const settings = { APP_URL: `http://${appName}:${deadPort}` };
    const seen = await withSettings(settings, () => verifyDomain(ctx, domain.id));
    expect(seen.trackingHostActive).toBe(true);
    expect(trackingOf(seen)).toMatchObject({
      status: "VERIFIED",
      problem: { kind: "unreachable" },
    });
  });

  it("is not used while something else answers under it", async () => {
    const made = await verified();
    const other = createServer((_, response) => response.end("another server"));
    const otherPort = await listen(other, 0, "127.0.0.1");
    const named = await updateDomain(made.ctx, made.domain.id, {
      trackingHost: `links.${made.name}`,
    });
    publish(named, ["TRACKING"]);
    const settings = { APP_URL: `http://${appName}:${otherPort}` };
    const seen = await withSettings(settings, () => verifyDomain(made.ctx, named.id));
    await close(other);
    expect(seen.trackingHostActive).toBe(false);
    expect(trackingOf(seen)?.problem).toMatchObject({
      kind: "different",
      message: expect.stringContaining("is not answered by this installation") as string,
    });
  });

  it("cannot be taken by who does not own the domain, nor kept from who does", async () => {
    const owner = await verified();
    const host = `links.${owner.name}`;
    started.dns.cname(host, appName);
    started.dns.addresses(host, "127.0.0.1");
    const squatter = await makeProject(database.db);
    const claimed = await createDomain(squatter.ctx, { name: owner.name });
    await updateDomain(squatter.ctx, claimed.id, { trackingHost: host });
    await expect(verifyDomain(squatter.ctx, claimed.id)).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(await getDomain(squatter.ctx, claimed.id)).toMatchObject({ trackingHostActive: false });
    expect((await ask("/t/host", { host })).status).toBe(421);

    await updateDomain(owner.ctx, owner.domain.id, { trackingHost: host });
    const seen = await verifyDomain(owner.ctx, owner.domain.id);
    expect(seen.trackingHostActive).toBe(true);
  });

  it("belongs to one project at a time: another with the domain above waits until it is free", async () => {
    const inner = await hosted();
    const above = inner.name.split(".").slice(1).join(".");
    expect(above).toBe("example.com");
    const rival = await verified(above);
    await updateDomain(rival.ctx, rival.domain.id, { trackingHost: inner.host });
    const denied = await verifyDomain(rival.ctx, rival.domain.id);
    expect(denied).toMatchObject({ status: "VERIFIED", trackingHostActive: false });
    expect(trackingOf(denied)?.problem).toMatchObject({
      message: "Another project uses this name for its links.",
    });
    await updateDomain(inner.ctx, inner.domain.id, { trackingHost: null });
    expect((await verifyDomain(rival.ctx, rival.domain.id)).trackingHostActive).toBe(true);
    await database.db.delete(domains).where(eq(domains.name, above));
  });

  it("has to be a name below the domain that can be a CNAME record", async () => {
    const { ctx, domain, name } = await verified();
    for (const host of [name, `x${name}`, "links.other.example", `bounces.${name}`, "no name"]) {
      await expect(updateDomain(ctx, domain.id, { trackingHost: host })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    const own = await createDomain(ctx, { name: "lettermill.example" });
    await expect(updateDomain(ctx, own.id, { trackingHost: appName })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    const settings = { APP_URL: "http://192.0.2.1" };
    const change = () => updateDomain(ctx, domain.id, { trackingHost: `links.${name}` });
    await expect(withSettings(settings, change)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
