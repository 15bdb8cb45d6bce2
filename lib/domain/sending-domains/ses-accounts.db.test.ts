import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { domains, sendingConnections, sesIdentities } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createConnection, updateConnection } from "@/lib/domain/connections/connections";
import { makeProject } from "@/lib/testing";
import { setSettings } from "@/lib/testing/providers/as-transport";
import { keeper } from "@/lib/testing/providers/ses";
import { deniedAction, throttled, type PlayedIdentity } from "@/lib/testing/providers/ses-account";
import {
  mailFromHostOf,
  publishedDkimKey,
  sesRegion,
  useSesDomains,
} from "@/lib/testing/ses-domains";
import { createDomain, deleteDomain, getDomain, updateDomain } from "./domains";
import { verifyDomain } from "./verify";

const test = useTestDatabase();
const { started, accountIn, publish, keep, keepAfter, verified, shown, rows } = useSesDomains(test);

/** What somebody set up by hand, with Easy DKIM. */
const byHand = (name: string, works: boolean): PlayedIdentity => ({
  VerifiedForSendingStatus: works,
  VerificationStatus: works ? "SUCCESS" : "PENDING",
  DkimAttributes: {
    Status: works ? "SUCCESS" : "PENDING",
    SigningAttributesOrigin: "AWS_SES",
    Tokens: ["one", "two", "three"],
  },
  MailFromAttributes: {
    MailFromDomain: `mail.${name}`,
    MailFromDomainStatus: works ? "SUCCESS" : "FAILED",
    BehaviorOnMxFailure: "REJECT_MESSAGE",
  },
});

describe("an identity that the account has already", () => {
  it("is left alone while it works, and stays when the domain goes", async () => {
    const made = await verified(await makeProject(test.db));
    const before = byHand(made.name, true);
    started.account.identities.set(made.name, structuredClone(before));
    const exchange = `feedback-smtp.${sesRegion}.amazonses.com`;
    started.dns.mx(`mail.${made.name}`, { priority: 10, exchange });
    await keep();
    expect(await shown(made)).toMatchObject({
      ...{ status: "VERIFIED", dkim: "SUCCESS" },
      mailFrom: { host: `mail.${made.name}`, status: "SUCCESS" },
      records: [
        { type: "MX", name: `mail.${made.name}`, found: [`10 ${exchange}`] },
        { type: "TXT", name: `mail.${made.name}`, problem: { kind: "missing" } },
      ],
    });
    await deleteDomain(made.ctx, made.domain.id);
    await keep();
    expect(await rows()).toEqual([]);
    expect(started.account.identities.get(made.name)).toEqual(before);
  });

  it("gets our key and MAIL FROM where it does not work, and stays as well", async () => {
    const made = await verified(await makeProject(test.db));
    started.account.identities.set(made.name, byHand(made.name, false));
    await keep();
    expect(started.account.identities.get(made.name)).toMatchObject({
      publicKey: publishedDkimKey(made.domain),
      MailFromAttributes: { MailFromDomain: mailFromHostOf(made.name) },
    });
    await keepAfter("1 hour");
    await deleteDomain(made.ctx, made.domain.id);
    await keep();
    expect(started.account.identities.has(made.name)).toBe(true);
  });

  it("is adopted also if it appears between look and request", async () => {
    const made = await verified(await makeProject(test.db));
    started.account.instead = ({ method }) => {
      if (method === "POST") started.account.identities.set(made.name, byHand(made.name, true));
      return null;
    };
    await keep();
    expect(await shown(made)).toMatchObject({ dkim: null, problem: null });
    await keepAfter("30 seconds");
    expect(await shown(made)).toMatchObject({ status: "VERIFIED", dkim: "SUCCESS" });
    await deleteDomain(made.ctx, made.domain.id);
    await keep();
    expect(started.account.identities.has(made.name)).toBe(true);
  });

  it("is known again by its key after a worker died behind its request", async () => {
    const made = await verified(await makeProject(test.db));
    await keep();
    await test.db.update(sesIdentities).set({ made: null, selector: null, answer: null });
    await keepAfter("1 minute");
    expect(started.account.asked.filter((one) => one.startsWith("POST"))).toHaveLength(1);
    await deleteDomain(made.ctx, made.domain.id);
    await keep();
    expect(started.account.identities.has(made.name)).toBe(false);
  });
});

describe("an identity that nobody needs", () => {
  it("is deleted with its domain, as soon as Amazon lets us", async () => {
    const made = await verified(await makeProject(test.db));
    await keep();
    started.account.instead = ({ method }) => (method === "DELETE" ? throttled : null);
    await deleteDomain(made.ctx, made.domain.id);
    await keep();
    expect(started.account.identities.has(made.name)).toBe(true);
    started.account.instead = () => null;
    await keepAfter("30 seconds");
    expect(started.account.identities.has(made.name)).toBe(false);
    expect(await rows()).toEqual([]);
  });

  it("is given up after a week in which it could not be deleted", async () => {
    const made = await verified(await makeProject(test.db));
    await keep();
    started.account.instead = ({ method }) =>
      method === "DELETE" ? deniedAction("DeleteEmailIdentity", made.name) : null;
    await deleteDomain(made.ctx, made.domain.id);
    await keep();
    expect(await rows()).toMatchObject([{ domainId: null, fault: { kind: "denied" } }]);
    await keepAfter("8 days");
    expect(await rows()).toEqual([]);
  });

  it("goes when the domain's mail leaves another way, and comes back with it", async () => {
    const made = await verified(await makeProject(test.db));
    await keep();
    const input = { name: "Ours", kind: "smtp", host: "smtp.example.com" } as const;
    const { id: connectionId } = await createConnection(made.ctx, input);
    expect((await updateDomain(made.ctx, made.domain.id, { connectionId })).ses).toEqual([]);
    await keep();
    expect(started.account.identities.has(made.name)).toBe(false);
    await updateDomain(made.ctx, made.domain.id, { connectionId: null });
    await keep();
    expect(started.account.identities.has(made.name)).toBe(true);
  });

  it("stays where MAIL_TRANSPORT leads elsewhere now: there is no key for it", async () => {
    const made = await verified(await makeProject(test.db));
    await keep();
    setSettings({ MAIL_TRANSPORT: "smtp://127.0.0.1:2525" });
    await keep();
    expect(await rows()).toEqual([]);
    expect(started.account.identities.has(made.name)).toBe(true);
  });
});

describe("a name in two projects", () => {
  it("is the identity of the one that verified it; the other learns nothing of it", async () => {
    const first = await verified(await makeProject(test.db));
    await keep();
    started.account.verify(first.name);
    await keepAfter("1 minute");
    const { ctx } = await makeProject(test.db);
    const domain = await createDomain(ctx, { name: first.name });
    publish(domain.records.filter(({ purpose }) => purpose === "DKIM"));
    await expect(verifyDomain(ctx, domain.id)).rejects.toThrow();
    started.account.asked.length = 0;
    await keep();
    expect(started.account.asked).toEqual([]);
    expect(await shown({ ctx, domain })).toMatchObject({ status: "PENDING", dkim: null });

    // It changes hands before it could be deleted.
    await deleteDomain(first.ctx, first.domain.id);
    await verifyDomain(ctx, domain.id);
    await keep();
    expect(started.account.identities.get(first.name)?.publicKey).toBe(publishedDkimKey(domain));
    expect(started.account.asked.filter((one) => one.startsWith("DELETE"))).toEqual([]);
    expect(await shown({ ctx, domain })).toMatchObject({ status: "PENDING", dkim: "PENDING" });
    expect(await rows()).toHaveLength(1);
    await deleteDomain(ctx, domain.id);
    await keep();
    expect(started.account.identities.has(first.name)).toBe(false);
  });
});

describe("the installation's key", () => {
  it("is tried at once after a correction, for all that the one before was denied", async () => {
    const transport = { MAIL_TRANSPORT: `ses://${sesRegion}` };
    setSettings({ ...transport, MAIL_TRANSPORT_KEY: `${keeper.accessKey}:${"x".repeat(40)}` });
    const project = await makeProject(test.db);
    const [one, two] = [await verified(project), await verified(project)];
    await keep();
    for (const made of [one, two]) {
      expect(await shown(made)).toMatchObject({ dkim: null, problem: { kind: "denied" } });
    }
    for (let tries = 0; tries < 4; tries++) expect(await keepAfter("2 hours")).toBe(2);
    expect(await keep()).toBe(0);
    const right = `${keeper.accessKey}:${keeper.secretKey}`;
    setSettings({ ...transport, MAIL_TRANSPORT_KEY: right });
    expect(await keep()).toBe(2);
    for (const made of [one, two]) {
      expect(await shown(made)).toMatchObject({ dkim: "PENDING", problem: null });
    }
    // Once only: what is pending is asked about later and later, whatever the key.
    expect(await keep()).toBe(0);
  });
});

describe("a project's own connection", () => {
  const input = {
    kind: "ses",
    ...{ name: "SES", region: "eu-west-1", standard: true },
    ...{ accessKeyId: keeper.accessKey, secretAccessKey: keeper.secretKey },
  } as const;

  it("has identities in its account and region, and what stands in for it in its own", async () => {
    const ireland = await accountIn("eu-west-1");
    const project = await makeProject(test.db);
    const { ctx } = project;
    const fallback = { ...input, name: "Spare", region: "us-east-1", standard: false };
    const virginia = await accountIn("us-east-1");
    const { id: fallbackId } = await createConnection(ctx, fallback);
    const { id } = await createConnection(ctx, { ...input, fallbackId });
    const { domain, name } = await verified(project);
    await keep();
    expect(started.account.asked).toEqual([]);
    const { ses } = await getDomain(ctx, domain.id);
    expect(ses.map(({ connectionId, region: where }) => [connectionId, where])).toEqual([
      [id, "eu-west-1"],
      [fallbackId, "us-east-1"],
    ]);
    // SES wants one MX record alone, which names the region: so each has a host.
    for (const [index, played] of [ireland, virginia].entries()) {
      const where = ses[index]?.region ?? "";
      expect(played.identities.get(name)?.MailFromAttributes?.MailFromDomain).toBe(
        mailFromHostOf(name, where),
      );
      expect(ses[index]?.records[0]?.value).toBe(`feedback-smtp.${where}.amazonses.com`);
    }
    await updateConnection(ctx, id, { fallbackId: null });
    await keep();
    expect(virginia.identities.has(name)).toBe(false);
    expect(ireland.identities.has(name)).toBe(true);
  });

  it("shows its owner Amazon's words whole, and is asked at once with another key", async () => {
    const ireland = await accountIn("eu-west-1");
    const project = await makeProject(test.db);
    const { id } = await createConnection(project.ctx, {
      ...input,
      secretAccessKey: "x".repeat(40),
    });
    const made = await verified(project);
    await keep();
    expect(await shown(made)).toMatchObject({
      ...{ connectionId: id, dkim: null },
      problem: { kind: "denied", message: expect.stringContaining("InvalidSignature") as string },
    });
    for (let tries = 0; tries < 4; tries++) expect(await keepAfter("2 hours")).toBe(1);
    expect(await keep()).toBe(0);
    await updateConnection(project.ctx, id, { secretAccessKey: keeper.secretKey });
    ireland.instead = ({ method }) =>
      method === "POST" ? deniedAction("CreateEmailIdentity", made.name) : null;
    expect(await keep()).toBe(1);
    expect((await shown(made)).problem?.message).toContain("123456789012");
    ireland.instead = () => null;
    await keepAfter("1 minute");
    expect(await shown(made)).toMatchObject({ dkim: "PENDING", problem: null });
    // Gone with the connection: nothing is left to ask Amazon with.
    const { projectId } = project;
    await test.db.delete(sendingConnections).where(eq(sendingConnections.projectId, projectId));
    expect(await rows()).toEqual([]);
  });

  it("whose secret cannot be read tells its owner, and keeps nobody else's waiting", async () => {
    await accountIn("eu-west-1");
    const [project, neighbour] = [await makeProject(test.db), await makeProject(test.db)];
    const { id } = await createConnection(project.ctx, input);
    const made = await verified(project);
    const theirs = await verified(neighbour);
    const { projectId } = project;
    await test.db
      .update(sendingConnections)
      .set({ secretSealed: "AAAA" })
      .where(eq(sendingConnections.projectId, projectId));
    await keep();
    expect(await shown(made)).toMatchObject({
      problem: { kind: "denied", message: expect.stringContaining("Enter it again") as string },
    });
    expect(started.account.identities.has(theirs.name)).toBe(true);
    await updateConnection(project.ctx, id, { secretAccessKey: keeper.secretKey });
    expect(await keep()).toBe(1);
    expect(await shown(made)).toMatchObject({ dkim: "PENDING", problem: null });
  });

  it("goes on with its other domains when the key of one cannot be read", async () => {
    const [broken, fine] = [
      await verified(await makeProject(test.db)),
      await verified(await makeProject(test.db)),
    ];
    await test.db
      .update(domains)
      .set({ dkimPrivateKeySealed: "AAAA" })
      .where(eq(domains.name, broken.name));
    await keep();
    expect(started.account.identities.has(fine.name)).toBe(true);
    expect((await shown(broken)).problem?.message).toContain("Delete the domain and add it again");
  });
});
