import { createPublicKey, createPrivateKey } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog, domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { isAppError } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { unseal } from "@/lib/ground/secrets";
import { makeProject } from "@/lib/testing";
import { createDomain, deleteDomain, getDomain, listDomains, updateDomain } from "./domains";
import { verifyDomain } from "./verify";

const test = useTestDatabase();
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

describe("createDomain", () => {
  it("gives the records to publish, with a 2048-bit key whose private half is sealed", async () => {
    const { ctx, projectId } = await makeProject(test.db);
    const created = await createDomain(ctx, { name: "Mail.Example.com." });
    expect(created).toMatchObject({
      name: "mail.example.com",
      status: "PENDING",
      builtIn: false,
      verifiedAt: null,
      nextCheckAt: null,
    });
    expect(
      created.records.map(({ purpose, type, name, required, status, found, problem }) => ({
        purpose,
        type,
        name,
        required,
        status,
        found,
        problem,
      })),
    ).toEqual([
      {
        purpose: "DKIM",
        type: "TXT",
        name: expect.stringMatching(/^lm[0-9a-f]{10}\._domainkey\.mail\.example\.com$/),
        required: true,
        status: "PENDING",
        found: [],
        problem: null,
      },
      {
        purpose: "SPF",
        type: "TXT",
        name: "bounces.mail.example.com",
        required: true,
        status: "PENDING",
        found: [],
        problem: null,
      },
      {
        purpose: "RETURN_PATH",
        type: "MX",
        name: "bounces.mail.example.com",
        required: false,
        status: "PENDING",
        found: [],
        problem: null,
      },
      {
        purpose: "DMARC",
        type: "TXT",
        name: "_dmarc.mail.example.com",
        required: true,
        status: "PENDING",
        found: [],
        problem: null,
      },
    ]);
    const [row] = await test.db
      .select()
      .from(domains)
      .where(and(eq(domains.projectId, projectId), eq(domains.name, "mail.example.com")));
    expect(row?.dkimPrivateKeySealed).not.toContain("PRIVATE KEY");
    const secret = createPrivateKey(unseal(row?.dkimPrivateKeySealed ?? ""));
    expect(secret.asymmetricKeyDetails?.modulusLength).toBe(2048);
    const published = /p=(\S+)$/.exec(created.records[0]?.value ?? "")?.[1] ?? "";
    expect(createPublicKey(secret).export({ type: "spki", format: "der" }).toString("base64")).toBe(
      published,
    );
  });

  it("refuses a second one of the name, whatever its spelling, also when both come at once", async () => {
    const { ctx } = await makeProject(test.db);
    const both = await Promise.allSettled([
      createDomain(ctx, { name: "bücher.example" }),
      createDomain(ctx, { domain: "XN--BCHER-KVA.example" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = both.find((one) => one.status === "rejected");
    expect(refused?.reason).toEqual(code("CONFLICT"));
    const otherProject = await makeProject(test.db);
    await expect(createDomain(otherProject.ctx, { name: "bücher.example" })).resolves.toBeTruthy();
  });

  it("takes the name under both of its names, if they agree", async () => {
    const { ctx } = await makeProject(test.db);
    await expect(createDomain(ctx, { name: "a.example", domain: "b.example" })).rejects.toEqual(
      code("VALIDATION_ERROR"),
    );
    await expect(createDomain(ctx, {})).rejects.toEqual(code("VALIDATION_ERROR"));
    await expect(
      createDomain(ctx, { name: "a.example", domain: "A.example" }),
    ).resolves.toMatchObject({ name: "a.example" });
    await expect(createDomain(ctx, { name: "sandbox.test" })).rejects.toEqual(code("CONFLICT"));
  });
});

describe("roles and projects", () => {
  it("lets viewers read, and admins write", async () => {
    const { ctx } = await makeProject(test.db);
    const { id } = await createDomain(ctx, { name: "roles.example" });
    for (const role of ["viewer", "editor"] as const) {
      const lesser = { ...ctx, role };
      await expect(getDomain(lesser, id)).resolves.toMatchObject({ id });
      await expect(listDomains(lesser, { limit: 20 })).resolves.toMatchObject({
        data: [{ id }, { name: "sandbox.test" }],
      });
      await expect(createDomain(lesser, { name: "b.example" })).rejects.toEqual(
        code("NOT_ALLOWED"),
      );
      await expect(verifyDomain(lesser, id)).rejects.toEqual(code("NOT_ALLOWED"));
      await expect(deleteDomain(lesser, id)).rejects.toEqual(code("NOT_ALLOWED"));
    }
    await expect(getDomain({ ...ctx, sendingOnly: true }, id)).rejects.toEqual(code("NOT_ALLOWED"));
    await expect(deleteDomain({ ...ctx, role: "admin" }, id)).resolves.toBeUndefined();
  });

  it("answers another project's id as one that never was", async () => {
    const [mine, theirs] = [await makeProject(test.db), await makeProject(test.db)];
    const { id } = await createDomain(theirs.ctx, { name: "theirs.example" });
    for (const wrong of [
      id,
      "dom_00000000000000000000000000",
      id.replace("dom_", "key_"),
      "nonsense",
    ]) {
      for (const verb of [getDomain, verifyDomain, deleteDomain]) {
        const error: unknown = await verb(mine.ctx, wrong).catch((thrown: unknown) => thrown);
        expect(isAppError(error) && [error.code, error.message]).toEqual([
          "NOT_FOUND",
          "The resource does not exist.",
        ]);
      }
    }
    await expect(getDomain(theirs.ctx, id)).resolves.toMatchObject({ id });
  });

  it("pages through the list, newest first", async () => {
    const { ctx } = await makeProject(test.db);
    for (const name of ["one.example", "two.example"]) await createDomain(ctx, { name });
    const first = await listDomains(ctx, { limit: 2 });
    expect(first.data.map(({ name }) => name)).toEqual(["two.example", "one.example"]);
    const second = await listDomains(ctx, { limit: 2, cursor: first.nextCursor });
    expect(second.data.map(({ name }) => name)).toEqual(["sandbox.test"]);
    expect(second.nextCursor).toBeUndefined();
  });

  it("finds by part of the name, taken literally, and by state", async () => {
    const { ctx } = await makeProject(test.db);
    for (const name of ["shop.example", "bücher.example"]) await createDomain(ctx, { name });
    const names = async (query: { search?: string; status?: "PENDING" | "VERIFIED" }) =>
      (await listDomains(ctx, { limit: 20, ...query })).data.map(({ name }) => name);
    expect(await names({ search: "SHOP" })).toEqual(["shop.example"]);
    expect(await names({ search: "bücher.example" })).toEqual(["xn--bcher-kva.example"]);
    expect(await names({ search: "s%e" })).toEqual([]);
    expect(await names({ search: "example", status: "VERIFIED" })).toEqual([]);
    expect(await names({ status: "VERIFIED" })).toEqual(["sandbox.test"]);
  });

  it("writes down who added and removed it", async () => {
    const { ctx, userId } = await makeProject(test.db);
    const { id } = await createDomain(ctx, { name: "audit.example" });
    await deleteDomain(ctx, id);
    const entries = await test.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.target, id))
      .orderBy(auditLog.id);
    expect(entries.map(({ action, actorId, details }) => [action, actorId, details])).toEqual([
      ["create.domain", userId, { name: "audit.example" }],
      ["delete.domain", userId, { name: "audit.example" }],
    ]);
  });
});

describe("deleteDomain", () => {
  it("is refused for the built-in one, and NOT_FOUND the second time", async () => {
    const { ctx } = await makeProject(test.db);
    const builtIn = (await listDomains(ctx, { limit: 1 })).data[0];
    expect(builtIn).toMatchObject({
      name: "sandbox.test",
      builtIn: true,
      status: "VERIFIED",
      records: [],
    });
    await expect(deleteDomain(ctx, builtIn?.id ?? "")).rejects.toEqual(code("CONFLICT"));
    await expect(verifyDomain(ctx, builtIn?.id ?? "")).resolves.toMatchObject({
      status: "VERIFIED",
    });
    const { id } = await createDomain(ctx, { name: "gone.example" });
    await deleteDomain(ctx, id);
    await expect(deleteDomain(ctx, id)).rejects.toEqual(code("NOT_FOUND"));
    expect(
      await test.db
        .select()
        .from(domains)
        .where(eq(domains.id, decodeId("domain", id) ?? "")),
    ).toEqual([]);
  });
});

describe("updateDomain", () => {
  it("changes what is counted of its mail, only the fields given, and is audited", async () => {
    const { ctx, projectId } = await makeProject(test.db);
    const { id, tracking } = await createDomain(ctx, { name: "quiet.example.com" });
    expect(tracking).toEqual({ opens: true, clicks: true });
    await updateDomain(ctx, id, { tracking: { opens: false } });
    expect((await updateDomain(ctx, id, {})).tracking).toEqual({ opens: false, clicks: true });
    expect((await getDomain(ctx, id)).tracking).toEqual({ opens: false, clicks: true });
    const audited = await test.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.projectId, projectId), eq(auditLog.action, "update.domain")));
    expect(audited).toHaveLength(2);
  });

  it("keeps both of two changes that come at once", async () => {
    const { ctx } = await makeProject(test.db);
    for (let turn = 0; turn < 10; turn++) {
      const { id } = await createDomain(ctx, { name: `turn${turn}.example.com` });
      await Promise.all([
        updateDomain(ctx, id, { inbound: true }),
        updateDomain(ctx, id, { tracking: { opens: false } }),
        updateDomain(ctx, id, { tracking: { clicks: false } }),
      ]);
      expect(await getDomain(ctx, id)).toMatchObject({
        ...{ inbound: true, tracking: { opens: false, clicks: false } },
      });
    }
  });

  it("is for admins, in their own project", async () => {
    const { ctx } = await makeProject(test.db);
    const otherProject = await makeProject(test.db);
    const { id } = await createDomain(ctx, { name: "theirs.example.com" });
    const off = { tracking: { clicks: false } };
    await expect(updateDomain({ ...ctx, role: "editor" }, id, off)).rejects.toEqual(
      code("NOT_ALLOWED"),
    );
    await expect(updateDomain(otherProject.ctx, id, off)).rejects.toEqual(code("NOT_FOUND"));
    expect((await getDomain(ctx, id)).tracking.clicks).toBe(true);
  });
});
