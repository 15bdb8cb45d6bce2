import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { warmupInput } from "@/lib/domain/warm-up/schema";
import { defaultSchedule } from "@/lib/domain/warm-up/terms";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { verifiedDomain } from "@/lib/testing/delivery";
import { createDomain, deleteDomain, getDomain } from "./domains";
import { getWarmup, setWarmup } from "./warm-up";

const database = useTestDatabase();
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function sendingDomain(role: "owner" | "editor" = "owner") {
  const { ctx, projectId } = await makeProject(database.db, { role });
  const key = await verifiedDomain(database.db, projectId, `w${projectId.slice(-8)}.example.com`);
  return { ctx, id: encodeId("domain", key.id) };
}

describe("a domain's warm-up", () => {
  it("is not changed by who has not seen the last change of it, and says when that was", async () => {
    const { ctx, id } = await sendingDomain();
    expect((await getWarmup(ctx, id)).updatedAt).toBeNull();
    const first = await setWarmup(ctx, id, { enabled: true, schedule: [10, 20], basedOn: null });
    expect((await getWarmup(ctx, id)).updatedAt).toBe(first.updatedAt);
    for (const basedOn of [null, "2026-01-01T00:00:00.000Z"]) {
      await expect(
        setWarmup(ctx, id, { enabled: true, schedule: [30], basedOn }),
      ).rejects.toMatchObject({ code: "CONFLICT", details: [{ path: "basedOn" }] });
    }
    const basedOn = first.updatedAt ?? "";
    const second = await setWarmup(ctx, id, { enabled: true, startedOn: dayIn(-1), basedOn });
    expect(second).toMatchObject({ schedule: [10, 20], startedOn: dayIn(-1) });
    expect(second.updatedAt).not.toBe(basedOn);
    // What says nothing new is no change.
    expect((await setWarmup(ctx, id, { enabled: true })).updatedAt).toBe(second.updatedAt);
  });

  it("is off until it is chosen, with the default plan to choose", async () => {
    const { ctx, id } = await sendingDomain();
    expect(await getWarmup(ctx, id)).toMatchObject({
      enabled: false,
      state: "off",
      startedOn: null,
      dailyCap: null,
      schedule: defaultSchedule,
    });
    expect((await getDomain(ctx, id)).warmup).toMatchObject({ enabled: false, state: "off" });
  });

  it("starts today with the default plan, and keeps what a change leaves out", async () => {
    const { ctx, id } = await sendingDomain();
    expect(await setWarmup(ctx, id, { enabled: true })).toMatchObject({
      enabled: true,
      state: "warming",
      startedOn: dayIn(0),
      day: 1,
      dailyCap: 150,
      hourlyCap: 15,
      endsOn: dayIn(29),
    });
    await setWarmup(ctx, id, { enabled: true, schedule: [10, 20, 30], startedOn: dayIn(-2) });
    expect(await setWarmup(ctx, id, { enabled: true })).toMatchObject({
      schedule: [10, 20, 30],
      startedOn: dayIn(-2),
      day: 3,
      dailyCap: 30,
    });
    expect((await getDomain(ctx, id)).warmup).toEqual({
      enabled: true,
      state: "warming",
      startedOn: dayIn(-2),
      day: 3,
      dailyCap: 30,
    });
    // One that was off for a while begins anew.
    await setWarmup(ctx, id, { enabled: false });
    expect(await setWarmup(ctx, id, { enabled: true })).toMatchObject({
      startedOn: dayIn(0),
      day: 1,
      schedule: [10, 20, 30],
    });
  });

  it("refuses a start that is no good, and changes nothing then", async () => {
    const { ctx, id } = await sendingDomain();
    for (const startedOn of [dayIn(1), dayIn(-366)]) {
      await expect(setWarmup(ctx, id, { enabled: true, startedOn })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        details: [{ path: "startedOn" }],
      });
    }
    expect(await getWarmup(ctx, id)).toMatchObject({ enabled: false, startedOn: null });
  });

  it.each([
    [{ enabled: true, schedule: [] }],
    [{ enabled: true, schedule: [0] }],
    [{ enabled: true, schedule: [1.5] }],
    [{ enabled: true, schedule: ["100"] }],
    [{ enabled: true, schedule: Array.from({ length: 366 }, () => 10) }],
    [{ enabled: true, startedOn: "2026-02-30" }],
    [{ enabled: true, startedOn: "today" }],
    [{ enabled: "yes" }],
    [{ schedule: [100] }],
    [{ enabled: true, caps: [100] }],
  ])("%j is no input", (input) => expect(warmupInput.safeParse(input).success).toBe(false));

  it("is another project's business alone, and needs an admin", async () => {
    const { id } = await sendingDomain();
    const other = await makeProject(database.db);
    await expect(getWarmup(other.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(setWarmup(other.ctx, id, { enabled: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const editor = await sendingDomain("editor");
    expect(await getWarmup(editor.ctx, editor.id)).toMatchObject({ enabled: false });
    await expect(setWarmup(editor.ctx, editor.id, { enabled: true })).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
  });

  it("stands in the audit log, and goes with its domain", async () => {
    const { ctx } = await sendingDomain();
    const { id } = await createDomain(ctx, { name: "pending.example.com" });
    await setWarmup(ctx, id, { enabled: true, schedule: [10] });
    const [entry] = await database.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.projectId, ctx.projectId), eq(auditLog.action, "update.warmup")));
    expect(entry).toMatchObject({
      target: id,
      details: { name: "pending.example.com", enabled: true, schedule: [10] },
    });
    await deleteDomain(ctx, id);
    await expect(getWarmup(ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
