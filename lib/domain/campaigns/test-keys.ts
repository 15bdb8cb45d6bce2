import type { Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import type { CampaignRow } from "./readiness";

/** Whether the actor may change what becomes of it: a test key has no say in what a live one, or a person, lets out. */
export const mayMove = (ctx: Context, { status, test }: Pick<CampaignRow, "status" | "test">) =>
  !ctx.testMode || test || status === "DRAFT";

export const liveForTestKey = () =>
  new AppError(
    "NOT_ALLOWED",
    "A test key changes drafts and campaigns that a test key has started; this one was started or scheduled live.",
  );
