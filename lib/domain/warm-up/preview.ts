import { and, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { warmups } from "@/db/schema";
import { expectedEnd } from "./forecast";
import { daysBetween, rolledOver, summaryOf } from "./plan";
import { today } from "./store";
import { readUsage } from "./usage";
import { readLoad } from "./waiting";

/** How long a campaign would take under a domain's warm-up. */
export interface WarmupPreview {
  dailyCap: number;
  /** Campaign emails that may still leave today. */
  leftToday: number;
  /** UTC days, today included; null: not for years. */
  days: number | null;
  expectedEndAt: Date | null;
}

/** What it takes to send that many more emails, behind those already waiting. null: no warm-up holds them. */
export async function previewWarmup(
  executor: Executor,
  domain: { id: string },
  emails: number,
): Promise<WarmupPreview | null> {
  const [plan] = await executor
    .select({ row: warmups, day: today, at: sql<string>`app_now()` })
    .from(warmups)
    .where(and(eq(warmups.domainId, domain.id), eq(warmups.enabled, true)));
  if (!plan) return null;
  const { day } = plan;
  const { dailyCap } = summaryOf(plan.row, day);
  if (dailyCap === null) return null;
  const row = { ...plan.row, ...rolledOver(plan.row, day) };
  const usage = await readUsage(executor, row, dailyCap);
  const load = await readLoad(executor, row);
  const end = expectedEnd(row, new Date(plan.at), {
    emails: emails + load.emails,
    transactional: load.transactional,
    usage,
  });
  // The end is that of an hour: midnight still belongs to the day before.
  const lastDay = end && new Date(end.getTime() - 1).toISOString().slice(0, 10);
  return {
    dailyCap,
    leftToday: Math.max(0, usage.leftToday ?? 0),
    days: lastDay === null ? null : daysBetween(day, lastDay) + 1,
    expectedEndAt: end,
  };
}
