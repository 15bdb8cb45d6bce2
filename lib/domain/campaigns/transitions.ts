import { and, eq, inArray, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db/client";
import type { CampaignStatus } from "@/db/enums";
import { campaigns } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import {
  findKept,
  onceWithin24Hours,
  routeOf,
  type IdempotentRequest,
  type Replayable,
} from "@/lib/domain/emails/idempotency";
import { checkSchedule, checkSendBefore, databaseTime } from "@/lib/domain/emails/normalize";
import { guardStartNow } from "@/lib/domain/guard/campaign-results";
import { AppError, invalid } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { emitEvents } from "@/lib/ground/events/emit";
import { announce } from "@/lib/ground/queue/announce";
import { findMailProblem } from "./mail-problems";
import { campaignUuid, findCampaignRow, toCampaign } from "./read";
import { findProblem, type CampaignRow } from "./readiness";
import { refusal, startsFrom, type Transition } from "./states";
import { movable, refuseLive } from "./test-keys";
import {
  farthestCampaignDays,
  type CampaignResume,
  type CampaignSchedule,
  type CampaignSend,
} from "./action-schema";
import { type Campaign } from "./schema";

/**
 * Changes its state in one statement; the engine must be told after the commit. Throws NOT_FOUND, CONFLICT, and
 * NOT_ALLOWED where a test key would move what is live.
 */
async function transitionTo(
  tx: Transaction,
  ctx: Context,
  id: string,
  transition: Transition,
  columns: PgUpdateSetSource<typeof campaigns> & { status: CampaignStatus },
): Promise<CampaignRow> {
  const [row] = await tx
    .update(campaigns)
    .set({ ...columns, updatedAt: now })
    .where(
      and(
        eq(campaigns.projectId, ctx.projectId),
        eq(campaigns.id, campaignUuid(id)),
        inArray(campaigns.status, [...startsFrom[transition]]),
        movable(ctx),
      ),
    )
    .returning();
  if (!row) {
    const found = await findCampaignRow(tx, ctx, id);
    if (startsFrom[transition].includes(found.status)) refuseLive(ctx, found);
    throw refusal(transition, found.status);
  }
  await audit(tx, ctx, `${transition}.campaign`, encodeId("campaign", row.id), { name: row.name });
  return row;
}

async function changed(
  ctx: Context,
  work: (tx: Transaction) => Promise<CampaignRow>,
): Promise<Campaign> {
  requireRole(ctx, "editor");
  const row = await ctx.db.transaction(work);
  announce(ctx.db, "campaigns_due");
  return toCampaign(ctx.db, row);
}

/**
 * Locks the campaign, so that what is checked is what goes out. Throws whatever findProblem finds, and CONFLICT.
 */
async function checked(
  tx: Transaction,
  ctx: Context,
  id: string,
  transition: "schedule" | "send",
  scheduledAt: string | null = null,
): Promise<void> {
  const row = await findCampaignRow(tx, ctx, id, true);
  // A caller who comes too late is told so, whatever else may be wrong by then.
  if (!startsFrom[transition].includes(row.status)) throw refusal(transition, row.status);
  const problem = await findProblem(tx, row);
  if (problem) throw problem;
  if (row.sendBefore) {
    checkSendBefore(row.sendBefore.toISOString(), "", { now: await databaseTime(tx), scheduledAt });
  }
}

/** Throws VALIDATION_ERROR for mail that would fail for everybody. Any other problems are left to `checked`. */
async function checkMail(ctx: Context, id: string, transition: "schedule" | "send"): Promise<void> {
  const row = await findCampaignRow(ctx.db, ctx, id);
  if (!startsFrom[transition].includes(row.status)) return;
  if (await findProblem(ctx.db, row)) return;
  const problem = await findMailProblem(ctx.db, row);
  if (problem) throw problem;
}

async function schedule(
  tx: Transaction,
  ctx: Context,
  id: string,
  input: CampaignSchedule,
): Promise<CampaignRow> {
  const text = checkSchedule(input.scheduledAt, "", await databaseTime(tx), farthestCampaignDays);
  await checked(tx, ctx, id, "schedule", text);
  return transitionTo(tx, ctx, id, "schedule", {
    status: "SCHEDULED",
    ...{ scheduledAt: new Date(text), dueAt: new Date(text) },
    test: ctx.testMode,
    contentSettled: true,
    ...(input.timeZone === undefined ? {} : { timeZone: input.timeZone }),
  });
}

async function send(tx: Transaction, ctx: Context, id: string): Promise<CampaignRow> {
  await checked(tx, ctx, id, "send");
  return transitionTo(tx, ctx, id, "send", {
    status: "SENDING",
    startedAt: now,
    dueAt: now,
    test: ctx.testMode,
  });
}

/**
 * Sends a draft or a scheduled campaign now, or with `scheduledAt` at that time; at most once if there is an
 * idempotency key. Throws NOT_FOUND, CONFLICT, VALIDATION_ERROR, DOMAIN_NOT_VERIFIED. Needs editor.
 */
export async function sendCampaign(
  ctx: Context,
  id: string,
  input: CampaignSend,
  once?: Omit<IdempotentRequest, "projectId">,
): Promise<Replayable<Campaign>> {
  requireRole(ctx, "editor");
  if (input.timeZone !== undefined && input.scheduledAt === undefined) {
    throw invalid("timeZone", "only makes sense with scheduledAt");
  }
  const { scheduledAt, timeZone } = input;
  const transition = scheduledAt === undefined ? "send" : "schedule";
  const work = async (tx: Transaction) => {
    const row =
      scheduledAt === undefined
        ? await send(tx, ctx, id)
        : await schedule(tx, ctx, id, { scheduledAt, timeZone });
    return toCampaign(tx, row);
  };
  if (!once) {
    await checkMail(ctx, id, transition);
    const result = await ctx.db.transaction(work);
    announce(ctx.db, "campaigns_due");
    return { result, replayed: false };
  }
  const request = { ...once, route: routeOf(ctx, once.route), projectId: ctx.projectId };
  const kept = await findKept<Campaign>(ctx.db, request);
  if (kept) return kept;
  await checkMail(ctx, id, transition);
  const sent = await onceWithin24Hours(ctx.db, request, work);
  announce(ctx.db, "campaigns_due");
  return sent;
}

/** Schedules a draft to start at a given time. Throws what sendCampaign throws. Needs editor. */
export async function scheduleCampaign(
  ctx: Context,
  id: string,
  input: CampaignSchedule,
): Promise<Campaign> {
  requireRole(ctx, "editor");
  await checkMail(ctx, id, "schedule");
  return changed(ctx, (tx) => schedule(tx, ctx, id, input));
}

/** Back to a draft. Throws NOT_FOUND, CONFLICT. Needs editor. */
export function unscheduleCampaign(ctx: Context, id: string): Promise<Campaign> {
  return changed(ctx, (tx) =>
    transitionTo(tx, ctx, id, "unschedule", {
      status: "DRAFT",
      scheduledAt: null,
      dueAt: null,
      test: false,
    }),
  );
}

/**
 * Nothing goes out after the next claim; mail being handed over is completed. Throws NOT_FOUND, CONFLICT. Needs
 * editor.
 */
export function pauseCampaign(ctx: Context, id: string): Promise<Campaign> {
  return changed(ctx, async (tx) => {
    const row = await transitionTo(tx, ctx, id, "pause", {
      status: "PAUSED",
      pausedAt: now,
      failureReason: null,
    });
    const data = { campaignId: encodeId("campaign", row.id), name: row.name };
    await emitEvents(tx, [{ projectId: ctx.projectId, type: "campaign.paused", data }]);
    return row;
  });
}

/**
 * Throws CONFLICT while the guard is waiting for an acknowledgement. Resolves to the moment from which the guard
 * counts afresh.
 */
async function passGuard(
  tx: Transaction,
  ctx: Context,
  id: string,
  acknowledged: boolean,
): Promise<Pick<CampaignRow, "guardStart">> {
  const row = await findCampaignRow(tx, ctx, id, true);
  if (row.status !== "PAUSED" || !row.guard) return { guardStart: row.guardStart };
  if (!acknowledged) {
    throw new AppError(
      "CONFLICT",
      `The campaign was paused to protect your sender reputation: ${row.failureReason ?? ""} Find out why, then resume it with "acknowledge": true.`,
    );
  }
  return { guardStart: await guardStartNow(tx, row) };
}

/**
 * Continues where it stopped. A campaign that the guard paused needs an acknowledgement, and is judged afresh from
 * then on. Throws NOT_FOUND, CONFLICT. Needs editor.
 */
export async function resumeCampaign(
  ctx: Context,
  id: string,
  { acknowledge = false }: CampaignResume = {},
): Promise<Campaign> {
  const campaign = await changed(ctx, async (tx) => {
    const guarded = await passGuard(tx, ctx, id, acknowledge);
    return transitionTo(tx, ctx, id, "resume", {
      status: "SENDING",
      ...guarded,
      guard: null,
      pausedAt: null,
      failureReason: null,
      dueAt: now,
    });
  });
  announce(ctx.db, "emails_due");
  return campaign;
}

/** Cancels it for good: waiting mail is not sent. Throws NOT_FOUND, CONFLICT. Needs editor. */
export function cancelCampaign(ctx: Context, id: string): Promise<Campaign> {
  return changed(ctx, (tx) =>
    transitionTo(tx, ctx, id, "cancel", {
      status: "CANCELLED",
      finishedAt: now,
      // If sending has begun, the engine ends the waiting mail.
      dueAt: sql`case when ${campaigns.startedAt} is null then null else app_now() end`,
    }),
  );
}
