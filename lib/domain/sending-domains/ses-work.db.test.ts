import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { deniedAction, throttled } from "@/lib/testing/providers/ses-account";
import {
  mailFromHostOf,
  publishedDkimKey,
  sesRegion,
  useSesDomains,
} from "@/lib/testing/ses-domains";
import { createDomain, getDomain } from "./domains";
import { verifyDomain } from "./verify";

const test = useTestDatabase();
const { started, publish, newName, keep, keepAfter, verified, shown } = useSesDomains(test);

describe("an identity at Amazon SES", () => {
  it("is made with the DKIM key of the record once that was found, never before", async () => {
    const { ctx } = await makeProject(test.db);
    const name = newName();
    const domain = await createDomain(ctx, { name });
    const stranger = await verifyDomain(ctx, domain.id);
    expect(stranger.status).toBe("PENDING");
    await keep();
    expect(started.account.asked).toEqual([]);
    // What to publish is known from the first moment.
    expect(stranger.ses).toEqual(domain.ses);
    expect(domain.ses).toMatchObject([
      {
        connectionId: null,
        region: sesRegion,
        status: "PENDING",
        dkim: null,
        problem: null,
        checkedAt: null,
      },
    ]);
    const host = mailFromHostOf(name);
    expect(domain.ses[0]?.records).toEqual([
      {
        ...{ type: "MX", name: host, value: `feedback-smtp.${sesRegion}.amazonses.com` },
        ...{ priority: 10, required: false, status: "PENDING", found: [], problem: null },
      },
      {
        ...{ type: "TXT", name: host, value: "v=spf1 include:amazonses.com ~all" },
        ...{ required: false, status: "PENDING", found: [], problem: null },
      },
    ]);

    publish(domain.records);
    expect((await verifyDomain(ctx, domain.id)).status).toBe("VERIFIED");
    // The caller does not wait for Amazon.
    expect(started.account.asked).toEqual([]);
    await keep();
    expect(started.account.asked).toEqual([
      `GET ${name}`,
      `POST ${name}`,
      `PUT ${name}/mail-from`,
      `GET ${name}`,
    ]);
    expect(started.account.identities.get(name)).toMatchObject({
      publicKey: publishedDkimKey(domain),
      MailFromAttributes: { MailFromDomain: host, BehaviorOnMxFailure: "USE_DEFAULT_VALUE" },
    });
    const identity = await shown({ ctx, domain });
    expect(identity).toMatchObject({ status: "PENDING", dkim: "PENDING", problem: null });
    expect(identity.mailFrom).toEqual({ host, status: "PENDING" });
    expect(identity.records.map(({ problem }) => problem?.kind)).toEqual(["missing", "missing"]);
  });

  it("is asked about later and later until all is well, then once a day", async () => {
    const made = await verified(await makeProject(test.db));
    await keep();
    expect(await keep()).toBe(0);
    expect(await keepAfter("15 seconds")).toBe(0);
    expect(await keepAfter("15 seconds")).toBe(1);
    expect(await keepAfter("30 seconds")).toBe(0);
    publish((await shown(made)).records);
    started.account.verify(made.name);
    expect(await keepAfter("30 seconds")).toBe(1);
    const identity = await shown(made);
    expect(identity).toMatchObject({ status: "VERIFIED", dkim: "SUCCESS", problem: null });
    expect(identity.mailFrom.status).toBe("SUCCESS");
    expect(identity.records.map(({ status }) => status)).toEqual(["VERIFIED", "VERIFIED"]);
    expect(await keepAfter("23 hours")).toBe(0);
    expect(await keepAfter("1 hour")).toBe(1);
    // Whoever presses the button does not wait for that.
    await verifyDomain(made.ctx, made.domain.id);
    expect(await keep()).toBe(1);
    expect(started.account.asked.filter((one) => !one.startsWith("GET"))).toHaveLength(2);
  });

  it("takes mail without its MAIL FROM, which is begun again once its record is there", async () => {
    const made = await verified(await makeProject(test.db));
    await keep();
    started.account.verify(made.name, { mailFrom: "FAILED" });
    const host = mailFromHostOf(made.name);
    started.dns.mx(
      host,
      { priority: 10, exchange: `feedback-smtp.${sesRegion}.amazonses.com` },
      { priority: 20, exchange: "mx.example.net" },
    );
    await keepAfter("1 hour");
    const identity = await shown(made);
    expect(identity).toMatchObject({ status: "VERIFIED", mailFrom: { status: "FAILED" } });
    expect(identity.records[0]).toMatchObject({ status: "FAILED", problem: { kind: "several" } });
    await keepAfter("3 hours");
    expect(started.account.asked.filter((one) => one.endsWith("mail-from"))).toHaveLength(1);
    publish(identity.records);
    await keepAfter("3 hours");
    expect(started.account.asked.filter((one) => one.endsWith("mail-from"))).toHaveLength(2);
    expect((await shown(made)).mailFrom.status).toBe("PENDING");
  });

  it("that SES cannot verify is shown with its word, and begun again", async () => {
    const made = await verified(await makeProject(test.db));
    await keep();
    const identity = started.account.identities.get(made.name);
    Object.assign(identity ?? {}, {
      VerificationStatus: "FAILED",
      VerificationInfo: { ErrorType: "TYPE_NOT_FOUND" },
    });
    Object.assign(identity?.DkimAttributes ?? {}, { Status: "FAILED" });
    started.account.instead = ({ method }) => (method === "PUT" ? throttled : null);
    await keepAfter("1 hour");
    expect(await shown(made)).toMatchObject({
      ...{ status: "FAILED", error: "TYPE_NOT_FOUND", dkim: "FAILED" },
      problem: { kind: "throttled", message: expect.stringContaining("Rate exceeded") as string },
    });
    started.account.instead = () => null;
    await keepAfter("1 hour");
    expect(started.account.asked).toContain(`PUT ${made.name}/dkim/signing`);
    expect(await shown(made)).toMatchObject({ status: "PENDING", dkim: "PENDING", problem: null });
  });

  it("waits when Amazon asks for fewer requests, and others of the account with it", async () => {
    const project = await makeProject(test.db);
    const both = [await verified(project), await verified(project)];
    let calls = 0;
    started.account.instead = () => {
      calls++;
      return throttled;
    };
    expect(await keep()).toBe(2);
    expect(calls).toBe(1);
    for (const made of both) {
      expect(await shown(made)).toMatchObject({ dkim: null, problem: { kind: "throttled" } });
    }
    started.account.instead = () => null;
    expect(await keepAfter("30 seconds")).toBe(2);
    for (const { name } of both) expect(started.account.identities.has(name)).toBe(true);
  });

  it("that the key may not make says so, of the installation's account no more than that", async () => {
    const project = await makeProject(test.db);
    const [made, other] = [await verified(project), await verified(project)];
    started.account.instead = ({ method, body }) =>
      method === "POST" && body.includes(made.name)
        ? deniedAction("CreateEmailIdentity", made.name)
        : null;
    await keep();
    const { problem, dkim } = await shown(made);
    expect(dkim).toBeNull();
    expect(problem?.kind).toBe("denied");
    expect(problem?.message).toContain("is not authorized to perform: ses:CreateEmailIdentity");
    expect(problem?.message).not.toContain("123456789012");
    // A policy may name identities: the others are asked for all the same.
    expect((await shown(other)).dkim).toBe("PENDING");
    expect((await getDomain(made.ctx, made.domain.id)).status).toBe("VERIFIED");
    started.account.instead = () => null;
    await keepAfter("30 seconds");
    expect(await shown(made)).toMatchObject({ dkim: "PENDING", problem: null });
  });

  it("shows what has come of it when only the MAIL FROM is denied", async () => {
    const made = await verified(await makeProject(test.db));
    started.account.instead = ({ method }) =>
      method === "PUT" ? deniedAction("PutEmailIdentityMailFromAttributes", made.name) : null;
    await keep();
    expect(await shown(made)).toMatchObject({
      ...{ dkim: "PENDING", mailFrom: { host: mailFromHostOf(made.name), status: null } },
      problem: { kind: "denied" },
    });
  });

  it("is made once by many workers", async () => {
    const project = await makeProject(test.db);
    for (let made = 0; made < 6; made++) await verified(project);
    const kept = await Promise.all(Array.from({ length: 4 }, keep));
    expect(kept.reduce((sum, one) => sum + one, 0)).toBe(6);
    expect(started.account.asked.filter((one) => one.startsWith("POST"))).toHaveLength(6);
  });
});
