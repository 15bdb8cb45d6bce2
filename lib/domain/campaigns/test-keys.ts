import { eq, or } from "drizzle-orm";
import { campaigns } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import type { CampaignRow } from "./readiness";

/* A test key has no say in what a live one, or a person, lets out: it moves drafts and what a test key has started. */

/** The condition for campaigns that the actor may move; undefined: all of them. */
export const movable = ({ testMode }: Context) =>
  testMode ? or(campaigns.test, eq(campaigns.status, "DRAFT")) : undefined;

/** Throws NOT_ALLOWED for a campaign that `movable` leaves out. */
export function refuseLive(
  { testMode }: Context,
  { status, test }: Pick<CampaignRow, "status" | "test">,
): void {
  if (!testMode || test || status === "DRAFT") return;
  throw new AppError(
    "NOT_ALLOWED",
    "A test key changes drafts and campaigns that a test key has started; this one was started or scheduled live.",
  );
}
