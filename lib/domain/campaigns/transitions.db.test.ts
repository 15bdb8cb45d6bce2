import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { campaignStatuses, type CampaignStatus } from "@/db/enums";
import { campaigns, domains, webhooks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { decodeId, encodeId, newId, newUnownedId } from "@/lib/ground/ids/ids";
import { createList, deleteList } from "@/lib/domain/lists/lists";
import { createSegment, deleteSegment } from "@/lib/domain/segments/segments";
import { deleteTemplate } from "@/lib/domain/templates/delete";
import { createTemplate } from "@/lib/domain/templates/templates";
import { makeProject, type TestProject } from "@/lib/testing";
import { createCampaign, updateCampaign } from "./campaigns";
import { getCampaign } from "./read";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
  unscheduleCampaign,
} from "./transitions";
import type { Campaign, CampaignInput } from "./schema";

const database = useTestDatabase();
let project: TestProject;
let ctx: Context;

beforeAll(async () => {
  project = await makeProject(database.db);
  ctx = project.ctx;
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const make = async (fields: CampaignInput = {}, by = ctx) =>
  (
    await createCampaign(by, {
      name: "News",
      subject: "News",
      from: "news@sandbox.test",
      body: "<p>Hello</p>",
      ...fields,
    })
  ).id;
const rowOf = async (id: string) => {
  const [row] = await database.db
    .select()
    .from(campaigns)
    .where(eq(campaigns.id, decodeId("campaign", id) ?? ""));
  if (!row) throw new Error("The campaign is gone.");
  return row;
};
async function makeIn(status: CampaignStatus, fields: CampaignInput = {}): Promise<string> {
  const id = await make(fields);
  await database.db
    .update(campaigns)
    .set({ status, ...(["SENDING", "PAUSED"].includes(status) ? { startedAt: new Date() } : {}) })
    .where(eq(campaigns.id, decodeId("campaign", id) ?? ""));
  return id;
}
const send = async (by: Context, id: string) => (await sendCampaign(by, id, {})).result;
const schedule = (by: Context, id: string) =>
  scheduleCampaign(by, id, { scheduledAt: inDays(1), timeZone: "Europe/Berlin" });

const moves = {
  schedule: { run: schedule, from: ["DRAFT"], to: "SCHEDULED" },
  send: { run: send, from: ["DRAFT", "SCHEDULED"], to: "SENDING" },
  unschedule: { run: unscheduleCampaign, from: ["SCHEDULED"], to: "DRAFT" },
  pause: { run: pauseCampaign, from: ["SENDING"], to: "PAUSED" },
  resume: { run: resumeCampaign, from: ["PAUSED"], to: "SENDING" },
  cancel: {
    run: cancelCampaign,
    from: ["DRAFT", "SCHEDULED", "SENDING", "PAUSED"],
    to: "CANCELLED",
  },
} as const satisfies Record<
  string,
  {
    run: (by: Context, id: string) => Promise<Campaign>;
    from: readonly CampaignStatus[];
    to: CampaignStatus;
  }
>;
const table = Object.entries(moves).flatMap(([name, move]) =>
  campaignStatuses.map((status) => ({ name, status, ...move })),
);
const allowed = table.filter(({ from, status }) => (from as readonly string[]).includes(status));
const others = table.filter((row) => !allowed.includes(row));

describe("the table of moves", () => {
  test.each(allowed)("$name: $status -> $to", async ({ run, status, to, name }) => {
    const id = await makeIn(status);
    expect((await run(ctx, id)).status).toBe(to);
    expect((await getCampaign(ctx, id)).status).toBe(to);
    const audits = await database.db.execute<{ action: string }>(sql`
      select action from audit_log where target = ${id} and action = ${`${name}.campaign`}`);
    expect(audits).toHaveLength(1);
  });

  test.each(others)("$name of one that is $status is a conflict", async ({ run, status }) => {
    const id = await makeIn(status);
    const before = await rowOf(id);
    await expect(run(ctx, id)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(`The campaign is ${status}`) as unknown,
    });
    expect(await rowOf(id)).toEqual(before);
  });

  test.each(Object.entries(moves))(
    "%s: another's, an unknown one, and who may not",
    async (_, { run, from }) => {
      const id = await makeIn(from[0]);
      const { ctx: stranger } = await makeProject(database.db);
      for (const foreignId of [id, "cmp_nonsense", encodeId("campaign", newUnownedId())]) {
        await expect(run(stranger, foreignId)).rejects.toMatchObject({ code: "NOT_FOUND" });
      }
      for (const by of [
        { ...ctx, role: "viewer" as const },
        { ...ctx, sendingOnly: true },
      ]) {
        await expect(run(by, id)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
      }
      expect((await rowOf(id)).status).toBe(from[0]);
    },
  );

  test.each(Object.entries(moves).filter(([name]) => name !== "send"))(
    "%s by 20 callers at once happens once",
    async (_, { run, from }) => {
      const id = await makeIn(from[0]);
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => run(ctx, id)));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    },
  );

  test("20 calls to send, schedules among them: one start, whoever asked first", async () => {
    const id = await make();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        index % 4 === 1 ? schedule(ctx, id) : send(ctx, id),
      ),
    );
    const started = results.filter(
      (result) => result.status === "fulfilled" && result.value.status === "SENDING",
    );
    expect(started).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "CONFLICT" });
    }
    const starts = await database.db.execute(sql`
      select 1 from audit_log where target = ${id} and action = 'send.campaign'`);
    expect(starts).toHaveLength(1);
  });
});

describe("what a transition leaves for the engine", () => {
  const dueNow = async (id: string) => {
    const [row] = await database.db.execute<{ due: boolean | null }>(sql`
      select due_at <= app_now() as due from campaigns where id = ${decodeId("campaign", id)}`);
    return row?.due;
  };

  test("sending is due at once", async () => {
    const id = await make();
    const sent = await send(ctx, id);
    expect(sent.startedAt).not.toBeNull();
    expect(await dueNow(id)).toBe(true);
  });

  test("a schedule is due at its time, with its zone; taken back it is due no more", async () => {
    const id = await make();
    const scheduled = await schedule(ctx, id);
    expect(scheduled.timeZone).toBe("Europe/Berlin");
    expect((await rowOf(id)).dueAt?.toISOString()).toBe(scheduled.scheduledAt);
    const draft = await unscheduleCampaign(ctx, id);
    expect(draft.scheduledAt).toBeNull();
    expect((await rowOf(id)).dueAt).toBeNull();
    // And can be scheduled again.
    expect((await schedule(ctx, id)).status).toBe("SCHEDULED");
  });

  test("a paused one goes on when it is resumed", async () => {
    const id = await makeIn("SENDING");
    expect((await pauseCampaign(ctx, id)).pausedAt).not.toBeNull();
    expect(await dueNow(id)).not.toBe(true);
    expect((await resumeCampaign(ctx, id)).pausedAt).toBeNull();
    expect(await dueNow(id)).toBe(true);
  });

  test("a cancelled one is due where mail is under way, and not where none is", async () => {
    const draft = await make();
    expect((await cancelCampaign(ctx, draft)).finishedAt).not.toBeNull();
    expect((await rowOf(draft)).dueAt).toBeNull();
    const running = await makeIn("PAUSED");
    await cancelCampaign(ctx, running);
    expect(await dueNow(running)).toBe(true);
  });

  test("a test key's campaign is marked, whether sent or scheduled", async () => {
    const tester = { ...ctx, testMode: true };
    expect((await send(tester, await make())).test).toBe(true);
    const id = await make();
    expect((await schedule(tester, id)).test).toBe(true);
    // A person who sends it after all means it.
    expect((await send(ctx, id)).test).toBe(false);
  });

  test("pausing is told to webhooks", async () => {
    await database.db.insert(webhooks).values({
      id: newId(ctx.projectId),
      projectId: ctx.projectId,
      url: "https://example.com/hooks",
      events: ["campaign.paused"],
      secretSealed: "none",
    });
    const id = await makeIn("SENDING");
    await pauseCampaign(ctx, id);
    const told = await database.db.execute<{ event: string; data: unknown }>(sql`
      select event, data from webhook_deliveries where project_id = ${ctx.projectId}`);
    expect([...told]).toEqual([
      { event: "campaign.paused", data: expect.objectContaining({ campaignId: id }) as unknown },
    ]);
  });
});

describe("scheduling", () => {
  test("up to a year ahead and not in the past, with a zone in the time", async () => {
    const id = await make();
    for (const days of [366, -1]) {
      await expect(scheduleCampaign(ctx, id, { scheduledAt: inDays(days) })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    expect((await scheduleCampaign(ctx, id, { scheduledAt: inDays(364.9) })).status).toBe(
      "SCHEDULED",
    );
  });

  test("is what send with scheduledAt does", async () => {
    const id = await make();
    const scheduledAt = inDays(2);
    const { result } = await sendCampaign(ctx, id, { scheduledAt });
    expect(result).toMatchObject({ status: "SCHEDULED", scheduledAt, startedAt: null });
    await expect(sendCampaign(ctx, id, { timeZone: "Europe/Berlin" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  test("a scheduled one is moved by an update, not by another schedule", async () => {
    const id = await make();
    await schedule(ctx, id);
    await expect(schedule(ctx, id)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("PATCH") as unknown,
    });
    const scheduledAt = inDays(3);
    expect(await updateCampaign(ctx, id, { scheduledAt })).toMatchObject({ scheduledAt });
  });
});

describe.each([
  ["send", send],
  ["schedule", schedule],
] as const)("%s looks first", (_, run) => {
  const refused = async (id: string, error: Record<string, unknown>) => {
    const before = await rowOf(id);
    await expect(run(ctx, id)).rejects.toMatchObject(error);
    expect(await rowOf(id)).toEqual(before);
  };

  test("that nothing is missing, and names all that is", async () => {
    const id = await make({ subject: "", from: null, body: null, incomplete: true });
    await refused(id, {
      code: "VALIDATION_ERROR",
      details: ["subject", "from", "body"].map(
        (path) => expect.objectContaining({ path }) as unknown,
      ),
    });
    await refused(await make({ body: "  ", subject: " ", incomplete: true }), {
      code: "VALIDATION_ERROR",
    });
  });

  test("that the sender's domain is verified in this project", async () => {
    await refused(await make({ from: "news@unknown.example" }), { code: "DOMAIN_NOT_VERIFIED" });
    const { projectId } = await makeProject(database.db);
    for (const [owner, status] of [
      [ctx.projectId, "PENDING"],
      [projectId, "VERIFIED"],
    ] as const) {
      await database.db
        .insert(domains)
        .values({
          id: newId(owner),
          projectId: owner,
          name: "shared.example",
          status,
          selector: "lm1",
          dkimPublicKey: "",
          dkimPrivateKeySealed: "",
        })
        .onConflictDoNothing();
    }
    await refused(await make({ from: "news@shared.example" }), { code: "DOMAIN_NOT_VERIFIED" });
    await database.db.delete(domains).where(eq(domains.name, "shared.example"));
  });

  test("that its segment, list and template are still there: never everybody instead", async () => {
    const segment = await createSegment(ctx, { name: "Pro", filter: { and: [] } });
    const list = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
    const template = await createTemplate(ctx, { name: "T", subject: "S", body: "<p>T</p>" });
    const drafts = {
      segmentId: await make({ segmentId: segment.id }),
      listId: await make({ listId: list.id }),
      templateId: await make({ templateId: template.id }),
    };
    // A draft does not keep them.
    await deleteSegment(ctx, segment.id);
    await deleteList(ctx, list.id);
    await deleteTemplate(ctx, template.id);
    for (const [path, id] of Object.entries(drafts)) {
      await refused(id, {
        code: "VALIDATION_ERROR",
        details: [expect.objectContaining({ path })],
      });
    }
  });

  test("that links to unsubscribe can be https, but for people of sandbox.test", async () => {
    const { ctx: own } = await makeProject(database.db);
    await upsertContact(own, { email: "delivered@sandbox.test" });
    const before = process.env["APP_URL"];
    const withAppUrl = async (url: string, id: string) => {
      process.env["APP_URL"] = url;
      reloadEnv();
      try {
        return await run(own, id);
      } finally {
        if (before === undefined) delete process.env["APP_URL"];
        else process.env["APP_URL"] = before;
        reloadEnv();
      }
    };
    const plain = "http://mail.example.com";
    expect(await withAppUrl(plain, await make({}, own))).toBeTruthy();
    await upsertContact(own, { email: "ada@example.com" });
    await expect(withAppUrl(plain, await make({}, own))).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("https") as unknown,
    });
    expect(await withAppUrl("https://mail.example.com", await make({}, own))).toBeTruthy();
    expect(await withAppUrl("http://localhost:3000", await make({}, own))).toBeTruthy();
  });
});

describe("what a campaign that is to go out is made of", () => {
  test.each(["SCHEDULED", "SENDING", "PAUSED"] as const)(
    "cannot be deleted while it is %s",
    async (status) => {
      const segment = await createSegment(ctx, { name: "Pro", filter: { and: [] } });
      const list = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
      const template = await createTemplate(ctx, { name: "T", subject: "S", body: "<p>T</p>" });
      const ids = [
        await makeIn(status, { segmentId: segment.id, templateId: template.id, body: null }),
        await makeIn(status, { listId: list.id }),
      ];
      const attempts = [
        () => deleteSegment(ctx, segment.id),
        () => deleteList(ctx, list.id),
        () => deleteTemplate(ctx, template.id),
      ];
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({
          code: "CONFLICT",
          message: expect.stringContaining("News") as unknown,
        });
      }
      for (const id of ids) await cancelCampaign(ctx, id);
      for (const attempt of attempts) await attempt();
    },
  );

  test("deleting a segment while its campaign is being sent: one of the two is refused", async () => {
    for (let round = 0; round < 10; round++) {
      const segment = await createSegment(ctx, { name: "Pro", filter: { and: [] } });
      const id = await make({ segmentId: segment.id });
      const [sent, deleted] = await Promise.allSettled([
        send(ctx, id),
        deleteSegment(ctx, segment.id),
      ]);
      expect([sent.status, deleted.status].sort()).toEqual(["fulfilled", "rejected"]);
    }
  });
});
