import type { Server } from "node:http";
import { sql } from "drizzle-orm";
import type { Resend } from "resend";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createSegment } from "@/lib/domain/segments/segments";
import { reloadEnv } from "@/lib/ground/env/env";
import { makeProject, type TestProject } from "@/lib/testing";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { dataOf, errorOf, resendClient } from "@/lib/testing/resend-client";
import { close } from "./listen";
import { startWebServer } from "./test-server";

/* Resend's own client on what is not an email: domains, keys, contacts, segments. */
const database = useTestDatabase();
let server: Server;
let dns: DnsServer;
let project: TestProject;
let client: Resend;
/** Of another project. */
let stranger: Resend;

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  project = await makeProject(database.db);
  const web = await startWebServer();
  server = web.server;
  client = resendClient(web.origin, project.apiKey);
  stranger = resendClient(web.origin, (await makeProject(database.db)).apiKey);
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));
afterAll(async () => {
  await close(server);
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
  await dns.stop();
});

const missing = { statusCode: 404, name: "not_found" };
const wrong = (field: string) => ({
  statusCode: 422,
  name: "validation_error",
  message: expect.stringMatching(new RegExp(`^${field}: `)) as string,
});

describe("domains", () => {
  test("are added, changed, verified, listed and removed", async () => {
    const name = "mail.shop.example";
    const created = await dataOf(client.domains.create({ name, clickTracking: false }));
    expect(created).toMatchObject({
      name,
      status: "not_started",
      click_tracking: false,
      capabilities: { sending: "enabled", receiving: "disabled" },
    });
    expect(created.records.find(({ record }) => record === "DKIM")).toMatchObject({
      name: expect.stringContaining("_domainkey.mail.shop.example") as string,
      type: "TXT",
    });
    const { id } = created;
    const touched = { object: "domain", id };
    const change = { id, openTracking: false, trackingSubdomain: "links" };
    expect(await dataOf(client.domains.update(change))).toEqual(touched);
    expect(await dataOf(client.domains.get(id))).toMatchObject({
      ...touched,
      open_tracking: false,
      click_tracking: false,
      tracking_subdomain: "links",
    });
    expect(await dataOf(client.domains.verify(id))).toEqual(touched);
    expect((await dataOf(client.domains.get(id))).status).not.toBe("not_started");
    const { data } = await dataOf(client.domains.list({ limit: 1 }));
    expect(data).toMatchObject([{ id, name }]);
    for (const refusal of [
      stranger.domains.get(id),
      stranger.domains.update({ id, openTracking: true }),
      stranger.domains.verify(id),
      stranger.domains.remove(id),
    ]) {
      expect(await errorOf(refusal)).toMatchObject(missing);
    }
    expect(await errorOf(client.domains.create({ name }))).toMatchObject({ statusCode: 409 });
    expect(await dataOf(client.domains.remove(id))).toEqual({ ...touched, deleted: true });
    expect(await errorOf(client.domains.get(id))).toMatchObject(missing);
  });

  test("refuse what cannot be kept", async () => {
    const name = "other.shop.example";
    for (const [fields, field] of [
      [{ name: "no domain" }, "name"],
      [{ name, region: "eu-west-1" }, "region"],
      [{ name, tls: "enforced" }, "tls"],
      [{ name, customReturnPath: "out" }, "custom_return_path"],
      [{ name, trackingSubdomain: "links" }, "tracking_subdomain"],
      [{ name, capabilities: { sending: "disabled" } }, "capabilities.sending"],
    ] as const) {
      expect(await errorOf(client.domains.create(fields))).toMatchObject(wrong(field));
    }
    const { data } = await dataOf(client.domains.list());
    expect(data.map((domain) => domain.name)).not.toContain(name);
  });
});

describe("apiKeys", () => {
  test("are created, listed and revoked", async () => {
    const permission = "sending_access";
    const { id, token } = await dataOf(client.apiKeys.create({ name: "Shop", permission }));
    expect(token).toMatch(/^sk_live_/);
    const { data } = await dataOf(client.apiKeys.list());
    expect(data.find((key) => key.id === id)).toMatchObject({ name: "Shop", last_used_at: null });
    expect(await errorOf(stranger.apiKeys.remove(id))).toMatchObject(missing);
    expect((await client.apiKeys.remove(id)).data).toEqual({
      object: "api_key",
      id,
      deleted: true,
    });
    expect(await errorOf(client.apiKeys.remove(id))).toMatchObject(missing);
    const bound = { name: "Shop", domain_id: "dom_1" };
    expect(await errorOf(client.apiKeys.create(bound))).toMatchObject(wrong("domain_id"));
  });
});

describe("contacts", () => {
  test("are created, read by id and address, changed, listed and removed", async () => {
    const email = "ada@example.com";
    const { id } = await dataOf(
      client.contacts.create({ email, firstName: "Ada", properties: { plan: "pro", seats: 3 } }),
    );
    const shown = {
      object: "contact",
      ...{ id, email, first_name: "Ada", unsubscribed: false },
      properties: { plan: { type: "string", value: "pro" }, seats: { type: "number", value: 3 } },
    };
    expect(await dataOf(client.contacts.get(id))).toMatchObject(shown);
    expect(await dataOf(client.contacts.get({ email }))).toMatchObject(shown);
    const properties = { plan: null };
    const change = { email, unsubscribed: true, lastName: "Lovelace", properties };
    expect(await dataOf(client.contacts.update(change))).toEqual({ object: "contact", id });
    const changed = await dataOf(client.contacts.get(id));
    expect(changed).toMatchObject({ unsubscribed: true, last_name: "Lovelace" });
    expect(Object.keys(changed.properties)).toEqual(["seats"]);
    const second = await dataOf(client.contacts.create({ email: "bob@example.com" }));
    const page = await dataOf(client.contacts.list({ limit: 1 }));
    expect(page).toMatchObject({ has_more: true, data: [{ id: second.id }] });
    const next = await dataOf(client.contacts.list({ limit: 1, after: second.id }));
    expect(next).toMatchObject({ has_more: false, data: [{ id }] });
    for (const refusal of [
      stranger.contacts.get(id),
      stranger.contacts.get({ email }),
      stranger.contacts.update({ id, unsubscribed: true }),
      stranger.contacts.remove(id),
    ]) {
      expect(await errorOf(refusal)).toMatchObject(missing);
    }
    expect((await client.contacts.remove({ email })).data).toMatchObject({ deleted: true });
    expect(await errorOf(client.contacts.get(id))).toMatchObject(missing);
  });

  test("refuse what is not an address, and what has no counterpart", async () => {
    const email = "eve@example.com";
    expect(await errorOf(client.contacts.create({ email: "eve" }))).toMatchObject(wrong("email"));
    const inSegment = { email, segments: [{ id: "seg_1" }] };
    expect(await errorOf(client.contacts.create(inSegment))).toMatchObject(wrong("segments"));
    const topics = [{ id: "top_1", subscription: "opt_in" as const }];
    expect(await errorOf(client.contacts.create({ email, topics }))).toMatchObject(wrong("topics"));
    const inAudience = client.contacts.create({ email, audienceId: "seg_1" });
    expect(await errorOf(inAudience)).toMatchObject(missing);
    const long = { email, firstName: "x".repeat(300) };
    expect(await errorOf(client.contacts.create(long))).toMatchObject(wrong("first_name"));
    expect(await errorOf(client.contacts.get({ email }))).toMatchObject(missing);
  });
});

describe("segments", () => {
  test("are read with their contacts, renamed and removed", async () => {
    const filter = { and: [{ field: "data.plan", op: "eq" as const, value: "team" }] };
    const { id } = await createSegment(project.ctx, { name: "Teams", filter });
    const email = "team@example.com";
    await dataOf(client.contacts.create({ email, properties: { plan: "team" } }));
    await dataOf(client.contacts.create({ email: "pro@example.com", properties: { plan: "pro" } }));
    expect(await dataOf(client.segments.get(id))).toMatchObject({
      object: "segment",
      name: "Teams",
    });
    expect((await dataOf(client.segments.list())).data).toMatchObject([{ id, name: "Teams" }]);
    const { data } = await dataOf(client.contacts.list({ segmentId: id }));
    expect(data.map((contact) => contact.email)).toEqual([email]);
    const renamed = client.segments.update(id, { name: "Companies" });
    expect(await dataOf(renamed)).toEqual({ object: "segment", id });
    expect(await errorOf(client.segments.create({ name: "By hand" }))).toMatchObject({
      statusCode: 405,
    });
    for (const refusal of [
      stranger.segments.get(id),
      stranger.contacts.list({ segmentId: id }),
      stranger.segments.update(id, { name: "Mine" }),
      stranger.segments.remove(id),
    ]) {
      expect(await errorOf(refusal)).toMatchObject(missing);
    }
    expect((await client.segments.remove(id)).data).toMatchObject({ id, deleted: true });
    expect(await errorOf(client.segments.get(id))).toMatchObject(missing);
  });
});
