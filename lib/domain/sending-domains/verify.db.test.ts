import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditLog, domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { createDomain, deleteDomain, getDomain } from "./domains";
import type { Domain } from "./schema";
import { checkDueDomains, verifyDomain } from "./verify";
import { setWarmup } from "./warm-up";

const test = useTestDatabase();
const code = (expected: string): unknown => expect.objectContaining({ code: expected });
let dns: DnsServer;
let count = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  Object.assign(process.env, {
    DNS_SERVERS: dns.address,
    MAIL_HOSTNAME: "mx.lettermill.example",
    SENDING_IPS: "192.0.2.10",
  });
  reloadEnv();
});
afterAll(async () => {
  for (const name of ["MAIL_HOSTNAME", "SENDING_IPS"]) delete process.env[name];
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
  await dns.stop();
});
beforeEach(async () => {
  dns.clear();
  // What earlier tests left to be checked is not this one's.
  await test.db.update(domains).set({ nextCheckAt: null });
});

function publish(domain: Domain, only?: string[]): void {
  for (const { purpose, type, name, value, priority } of domain.records) {
    if (only && !only.includes(purpose)) continue;
    if (type === "MX") dns.mx(name, { priority: priority ?? 0, exchange: value });
    // As every provider has to: strings of at most 255 characters.
    else dns.txt(name, value.match(/.{1,255}/g) ?? []);
  }
}

async function added() {
  const project = await makeProject(test.db);
  const name = `d${++count}.example`;
  return { ...project, domain: await createDomain(project.ctx, { name }), name };
}

async function rowOf(domain: Domain) {
  const [row] = await test.db
    .select()
    .from(domains)
    .where(eq(domains.id, decodeId("domain", domain.id) ?? ""));
  if (!row) throw new Error("The row is gone.");
  return row;
}

const problems = (domain: Domain) =>
  Object.fromEntries(domain.records.map((one) => [one.purpose, one.problem?.kind ?? null]));

async function verified() {
  const pending = await added();
  publish(pending.domain);
  const domain = await verifyDomain(pending.ctx, pending.domain.id);
  expect(domain.status).toBe("VERIFIED");
  return { ...pending, domain };
}

describe("verifyDomain", () => {
  it("verifies a domain whose records are all there, split strings joined", async () => {
    const { domain } = await verified();
    expect(domain.verifiedAt).not.toBeNull();
    expect(domain.records.every(({ status, problem }) => status === "VERIFIED" && !problem)).toBe(
      true,
    );
    expect(domain.records.find(({ purpose }) => purpose === "DKIM")?.found).toEqual([
      domain.records[0]?.value,
    ]);
  });

  it("begins the warm-up that was chosen before the domain could send", async () => {
    const { ctx, domain } = await added();
    await setWarmup(ctx, domain.id, { enabled: true, schedule: [10, 20, 40] });
    await test.travel("2 days");
    expect((await getDomain(ctx, domain.id)).warmup).toMatchObject({ day: 3, dailyCap: 40 });
    publish(domain);
    expect((await verifyDomain(ctx, domain.id)).warmup).toMatchObject({ day: 1, dailyCap: 10 });
    // What is looked at again later does not begin it once more.
    await test.travel("1 day");
    expect((await verifyDomain(ctx, domain.id)).warmup).toMatchObject({ day: 2, dailyCap: 20 });
  });

  it("says of each record what was found, and waits", async () => {
    const { ctx, domain, name } = await added();
    const [dkim] = domain.records;
    dns.txt(dkim?.name ?? "", "v=DKIM1; k=rsa; p=AAAA");
    dns.txt(`bounces.${name}`, "v=spf1 ip4:192.0.2.10 ~all", "v=spf1 mx -all");
    dns.mx(`bounces.${name}`, { priority: 5, exchange: "mx.other.example" });
    const seen = await verifyDomain(ctx, domain.id);
    expect(seen.status).toBe("PENDING");
    expect(problems(seen)).toEqual({
      DKIM: "different",
      SPF: "several",
      RETURN_PATH: "different",
      DMARC: "missing",
    });
    expect(seen.records.map(({ found }) => found)).toEqual([
      ["v=DKIM1; k=rsa; p=AAAA"],
      ["v=spf1 ip4:192.0.2.10 ~all", "v=spf1 mx -all"],
      ["5 mx.other.example"],
      [],
    ]);
    expect(seen.records.every(({ status }) => status === "FAILED")).toBe(true);
    expect(await getDomain(ctx, domain.id)).toEqual(seen);
  });

  it("needs no MX record, and takes the policy of the name above", async () => {
    const project = await makeProject(test.db);
    const domain = await createDomain(project.ctx, { name: "news.mail.above.example" });
    publish(domain, ["DKIM", "SPF"]);
    dns.txt("_dmarc.above.example", "v=DMARC1; p=reject");
    const seen = await verifyDomain(project.ctx, domain.id);
    expect(seen.status).toBe("VERIFIED");
    expect(problems(seen)).toMatchObject({ RETURN_PATH: "missing", DMARC: null });
    expect(seen.records.find(({ purpose }) => purpose === "DMARC")?.found).toEqual([
      "_dmarc.above.example: v=DMARC1; p=reject",
    ]);
  });

  it("tells where the record is when the provider appended the domain", async () => {
    const { ctx, domain, name } = await added();
    const [dkim] = domain.records;
    dns.txt(`${dkim?.name}.${name}`, dkim?.value.match(/.{1,255}/g) ?? []);
    const seen = await verifyDomain(ctx, domain.id);
    expect(seen.records[0]?.problem).toMatchObject({
      kind: "missing",
      message: expect.stringContaining(`appends ${name} automatically`) as string,
    });
  });

  it("does not take a failing name server for an answer", async () => {
    const { ctx, domain, name } = await verified();
    dns.misbehave(domain.records[0]?.name ?? "", "SERVFAIL");
    dns.misbehave(`bounces.${name}`, "REFUSED");
    const seen = await verifyDomain(ctx, domain.id);
    expect(seen.status).toBe("VERIFIED");
    expect(problems(seen)).toMatchObject({ DKIM: "unreachable", SPF: "unreachable", DMARC: null });
    expect(seen.records[0]).toMatchObject({ status: "VERIFIED", found: domain.records[0]?.found });

    const pending = await added();
    publish(pending.domain);
    dns.misbehave(pending.domain.records[0]?.name ?? "", "SERVFAIL");
    const unsure = await verifyDomain(pending.ctx, pending.domain.id);
    expect(unsure.status).toBe("PENDING");
    expect(unsure.records[0]).toMatchObject({
      status: "PENDING",
      problem: { kind: "unreachable" },
    });
  });

  it("leaves a name to the project that verified it first", async () => {
    const first = await verified();
    const second = await makeProject(test.db);
    const theirs = await createDomain(second.ctx, { name: first.name });
    publish(theirs, ["DKIM"]);
    await expect(verifyDomain(second.ctx, theirs.id)).rejects.toEqual(code("CONFLICT"));
    expect((await rowOf(theirs)).nextCheckAt).toBeNull();
    await deleteDomain(first.ctx, first.domain.id);
    expect((await verifyDomain(second.ctx, theirs.id)).status).toBe("VERIFIED");
  });

  it("lets one of two projects win that verify a name at once", async () => {
    const name = `d${++count}.example`;
    const projects = [await makeProject(test.db), await makeProject(test.db)];
    const both = await Promise.all(
      projects.map(async ({ ctx }) => ({ ctx, domain: await createDomain(ctx, { name }) })),
    );
    for (const { domain } of both) publish(domain);
    const results = await Promise.allSettled(
      both.map(({ ctx, domain }) => verifyDomain(ctx, domain.id)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(results.find((one) => one.status === "rejected")?.reason).toEqual(code("CONFLICT"));
    const states = await Promise.all(both.map(async ({ domain }) => (await rowOf(domain)).status));
    expect(states.sort()).toEqual(["PENDING", "VERIFIED"]);
  });

  it("gives two that ask at once the same answer, and NOT_FOUND when it is deleted meanwhile", async () => {
    const { ctx, domain } = await added();
    publish(domain);
    const answers = await Promise.all([verifyDomain(ctx, domain.id), verifyDomain(ctx, domain.id)]);
    expect(answers.map(({ status }) => status)).toEqual(["VERIFIED", "VERIFIED"]);

    const asked = dns.questions.length;
    dns.misbehave(domain.records[0]?.name ?? "", "silent");
    const underWay = verifyDomain(ctx, domain.id).catch((error: unknown) => error);
    await expect.poll(() => dns.questions.length).toBeGreaterThan(asked);
    await deleteDomain(ctx, domain.id);
    expect(await underWay).toEqual(code("NOT_FOUND"));
  });

  it("writes down who asked and what came of it", async () => {
    const { domain, userId } = await verified();
    const entries = await test.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.target, domain.id))
      .orderBy(asc(auditLog.id));
    expect(entries.at(-1)).toMatchObject({
      action: "verify.domain",
      actorId: userId,
      details: { name: domain.name, status: "VERIFIED" },
    });
  });
});

describe("checkDueDomains", () => {
  it("goes on after a trigger, later and later, until the records are there", async () => {
    const { ctx, domain } = await added();
    await verifyDomain(ctx, domain.id);
    expect(await checkDueDomains(test.db)).toBe(0);
    const pauses: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { nextCheckAt, checkedAt } = await rowOf(domain);
      pauses.push(Math.round((Number(nextCheckAt) - Number(checkedAt)) / 1000));
      await test.travel(`${pauses.at(-1)} seconds`);
      expect(await checkDueDomains(test.db)).toBe(1);
    }
    expect(pauses).toEqual([30, 30, 60, 120, 240]);
    publish(domain);
    await test.travel("2 hours");
    expect(await checkDueDomains(test.db)).toBe(1);
    expect((await getDomain(ctx, domain.id)).status).toBe("VERIFIED");
    const [entry] = await test.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.target, domain.id))
      .orderBy(sql`id desc`);
    expect(entry).toMatchObject({ actorType: "system", action: "verify.domain" });
  });

  it("gives up after 72 hours, and starts again when somebody asks", async () => {
    const { ctx, domain } = await added();
    await verifyDomain(ctx, domain.id);
    let rounds = 0;
    for (; (await rowOf(domain)).nextCheckAt !== null && rounds < 100; rounds++) {
      await test.travel("2 hours");
      await checkDueDomains(test.db);
    }
    expect(rounds).toBe(36);
    expect((await getDomain(ctx, domain.id)).status).toBe("FAILED");
    await test.travel("30 days");
    expect(await checkDueDomains(test.db)).toBe(0);
    expect(await verifyDomain(ctx, domain.id)).toMatchObject({ status: "PENDING" });
    expect((await rowOf(domain)).nextCheckAt).not.toBeNull();
  });

  it("drops a verified domain after DKIM was missing on three days, not before, and heals it", async () => {
    const { ctx, domain } = await verified();
    const statuses: string[] = [];
    const day = async () => {
      await test.travel("1 day");
      await checkDueDomains(test.db);
      statuses.push((await getDomain(ctx, domain.id)).status);
    };
    dns.clear(domain.records[0]?.name);
    await day();
    await day();
    // Asking by hand neither counts as a day nor puts the next one off.
    for (let click = 0; click < 3; click++) await verifyDomain(ctx, domain.id);
    publish(domain);
    await day();
    dns.clear(domain.records[0]?.name);
    for (let round = 0; round < 3; round++) await day();
    expect(statuses).toEqual([
      "VERIFIED",
      "VERIFIED",
      "VERIFIED",
      "VERIFIED",
      "VERIFIED",
      "FAILED",
    ]);
    expect((await getDomain(ctx, domain.id)).verifiedAt).toBeNull();
    publish(domain);
    await day();
    expect(statuses.at(-1)).toBe("VERIFIED");
  });

  it("never drops a verified domain for name servers that fail, or for lost SPF and DMARC", async () => {
    const { ctx, domain, name } = await verified();
    dns.clear(`_dmarc.${name}`);
    dns.clear(`bounces.${name}`);
    dns.misbehave(domain.records[0]?.name ?? "", "SERVFAIL");
    for (let round = 0; round < 5; round++) {
      await test.travel("1 day");
      expect(await checkDueDomains(test.db)).toBe(1);
    }
    const seen = await getDomain(ctx, domain.id);
    expect(seen.status).toBe("VERIFIED");
    expect(problems(seen)).toMatchObject({ DKIM: "unreachable", SPF: "missing", DMARC: "missing" });
  });

  it("is done once by many workers", async () => {
    const pending = await Promise.all(Array.from({ length: 12 }, added));
    await Promise.all(pending.map(({ ctx, domain }) => verifyDomain(ctx, domain.id)));
    await test.travel("1 minute");
    dns.questions.length = 0;
    const counts = await Promise.all(Array.from({ length: 6 }, () => checkDueDomains(test.db)));
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(12);
    for (const { domain } of pending) {
      const asked = dns.questions.filter((one) => one === `TXT ${domain.records[0]?.name}`);
      expect(asked).toHaveLength(1);
    }
  });

  it("leaves the word to whoever took over after its lease", async () => {
    const { ctx, domain } = await added();
    await verifyDomain(ctx, domain.id);
    await test.travel("1 minute");
    dns.misbehave(domain.records[0]?.name ?? "", "silent");
    dns.questions.length = 0;
    const slow = checkDueDomains(test.db);
    await expect.poll(() => dns.questions.length).toBeGreaterThan(0);
    dns.misbehave(domain.records[0]?.name ?? "", null);
    publish(domain);
    expect((await verifyDomain(ctx, domain.id)).status).toBe("VERIFIED");
    await slow;
    const seen = await getDomain(ctx, domain.id);
    expect(seen.status).toBe("VERIFIED");
    expect(problems(seen).DKIM).toBeNull();
  });

  it("is taken up again when a worker died in the middle", async () => {
    const { ctx, domain } = await added();
    await verifyDomain(ctx, domain.id);
    publish(domain);
    await test.db
      .update(domains)
      .set({ nextCheckAt: sql`app_now() + interval '2 minutes'` })
      .where(eq(domains.name, domain.name));
    expect(await checkDueDomains(test.db)).toBe(0);
    await test.travel("2 minutes");
    expect(await checkDueDomains(test.db)).toBe(1);
    expect((await getDomain(ctx, domain.id)).status).toBe("VERIFIED");
  });
});

describe("built-in domains", () => {
  it("are verified while mail is captured, and cannot send under another transport", async () => {
    const { projectId } = await makeProject(test.db);
    const status = async () => {
      await checkDueDomains(test.db);
      const rows = await test.db.select().from(domains).where(eq(domains.projectId, projectId));
      return rows.map((row) => [row.name, row.status]);
    };
    expect(await status()).toEqual([["sandbox.test", "VERIFIED"]]);
    process.env["MAIL_TRANSPORT"] = "smtp://127.0.0.1:2525";
    reloadEnv();
    try {
      expect(await status()).toEqual([["sandbox.test", "PENDING"]]);
      const later = await makeProject(test.db);
      const domainRows = await test.db
        .select()
        .from(domains)
        .where(eq(domains.projectId, later.projectId));
      expect(domainRows).toEqual([]);
    } finally {
      process.env["MAIL_TRANSPORT"] = "capture";
      reloadEnv();
    }
    expect(await status()).toEqual([["sandbox.test", "VERIFIED"]]);
  });
});
