import { request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, expect } from "vitest";
import type { TestDatabase } from "@/db/testing";
import { createDomain, updateDomain } from "@/lib/domain/sending-domains/domains";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { verifyDomain } from "@/lib/domain/sending-domains/verify";
import { reloadEnv } from "@/lib/ground/env/env";
import { decodeId } from "@/lib/ground/ids/ids";
import { hrefs, sendingCampaign, takeMails } from "./campaign-mail";
import { startDnsServer, type DnsServer } from "./dns-server";
import { useMailServers } from "./mail-servers";
import { makeProject } from "./index";

export const appName = "app.lettermill.example";

interface Asked {
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Applies settings while `work` runs. */
export async function withSettings<Result>(
  settings: Record<string, string>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = Object.fromEntries(Object.keys(settings).map((name) => [name, process.env[name]]));
  Object.assign(process.env, settings);
  reloadEnv();
  try {
    return await work();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    reloadEnv();
  }
}

export const trackingOf = (domain: Domain) =>
  domain.records.find(({ purpose }) => purpose === "TRACKING");

/**
 * A name server, and the product's web server at `appName`: domains whose links have hosts of their own. Call at the top
 * level.
 */
export function useHosts(database: TestDatabase, createServer: () => Server) {
  const { mailServer, dispatch } = useMailServers(database);
  const started = {} as { dns: DnsServer; server: Server; port: number };
  let count = 0;

  beforeAll(async () => {
    started.dns = await startDnsServer();
    started.server = createServer();
    await new Promise<void>((resolve) => started.server.listen(0, "127.0.0.1", resolve));
    started.port = (started.server.address() as AddressInfo).port;
    Object.assign(process.env, {
      APP_URL: `http://${appName}:${started.port}`,
      DNS_SERVERS: started.dns.address,
      SENDING_IPS: "192.0.2.10",
      ALLOW_PRIVATE_ADDRESSES: "1",
    });
    reloadEnv();
  });
  afterAll(async () => {
    for (const name of ["APP_URL", "SENDING_IPS", "ALLOW_PRIVATE_ADDRESSES"]) {
      delete process.env[name];
    }
    process.env["DNS_SERVERS"] = "";
    reloadEnv();
    started.server.closeAllConnections();
    await new Promise((resolve) => started.server.close(resolve));
    await started.dns.stop();
  });

  /** Asks the server for a path under a host, as a browser or a mail program does. */
  const ask = (path: string, { host = appName, method = "GET", headers = {}, body }: Asked = {}) =>
    new Promise<{ status: number; text: string; headers: Record<string, unknown> }>(
      (resolve, reject) => {
        const { port } = started;
        const outgoing = request(
          { port, host: "127.0.0.1", path, method, headers: { host, ...headers } },
          (response) => {
            textOf(response).then(
              (text) =>
                resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
              reject,
            );
          },
        );
        outgoing.on("error", reject).end(body);
      },
    );

  /** Posts a form, the way `ask` does. */
  const post = (path: string, body: string, host: string) =>
    ask(path, {
      ...{ host, method: "POST", body },
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });

  function publish(domain: Domain, only?: string[]): void {
    const { dns } = started;
    for (const { purpose, type, name, value, priority } of domain.records) {
      if (only && !only.includes(purpose)) continue;
      if (type === "MX") dns.mx(name, { priority: priority ?? 0, exchange: value });
      else if (type === "CNAME") {
        dns.cname(name, value);
        dns.addresses(name, "127.0.0.1");
      } else dns.txt(name, value.match(/.{1,255}/g) ?? []);
    }
  }

  /** A verified domain in a project of its own. */
  async function verified(name = `d${++count}.example.com`) {
    const project = await makeProject(database.db);
    const domain = await createDomain(project.ctx, { name });
    publish(domain);
    return { ...project, name, domain: await verifyDomain(project.ctx, domain.id) };
  }

  /** One whose mail uses a host of its own. */
  async function hosted() {
    const made = await verified();
    const host = `links.${made.name}`;
    const named = await updateDomain(made.ctx, made.domain.id, { trackingHost: host });
    publish(named, ["TRACKING"]);
    const domain = await verifyDomain(made.ctx, named.id);
    expect(domain).toMatchObject({ trackingHost: host, trackingHostActive: true });
    return { ...made, domain, host, base: `http://${host}:${started.port}` };
  }

  /** Sends a campaign to one person, and resolves to the mail as it arrived and where it leads. */
  async function sendCampaign(
    { projectId, domain, name }: Awaited<ReturnType<typeof verified>>,
    html = '<p><a href="https://shop.example/a">A</a> <a href="{{ viewUrl }}">View</a></p>',
  ) {
    const smtp = await mailServer();
    await sendingCampaign(
      { db: database.db, projectId },
      { id: decodeId("domain", domain.id) ?? "", name },
      [{ email: `ada${++count}@example.org` }],
      { html },
    );
    await dispatch(smtp.url);
    const [mail] = await takeMails(smtp);
    if (!mail) throw new Error("No mail arrived.");
    const header = mail.headers.get("list-unsubscribe") ?? "";
    const [oneClick = ""] = /(?<=<)http[^>]*/.exec(header) ?? [];
    const sources = [...mail.html.matchAll(/src="([^"]*)"/g)].map(([, src]) => src ?? "");
    const urls = [...hrefs(mail.html), ...sources, oneClick];
    const pathOf = (start: string) =>
      urls.map((url) => new URL(url).pathname).find((path) => path.startsWith(start)) ?? "";
    const paths = {
      click: pathOf("/t/c/"),
      pixel: pathOf("/t/o/"),
      preferences: pathOf("/preferences/"),
      view: pathOf("/view/"),
      oneClick: pathOf("/t/u/"),
    };
    return { mail, urls, paths };
  }

  return { started, ask, post, publish, verified, hosted, sendCampaign };
}
