import type { CampaignStatus } from "@/db/enums";
import { AppError } from "@/lib/ground/errors";

/*
 * from                                 transition   to
 * DRAFT                                schedule     SCHEDULED
 * DRAFT, SCHEDULED                     send         SENDING
 * SCHEDULED                            unschedule   DRAFT
 * SENDING                              pause        PAUSED
 * PAUSED                               resume       SENDING
 * DRAFT, SCHEDULED, SENDING, PAUSED    cancel       CANCELLED
 * The engine's: SCHEDULED -> SENDING at its time; SENDING -> SENT; SCHEDULED, SENDING -> FAILED.
 *
 * Each is one UPDATE whose condition names the states it starts from: if two callers race, one wins.
 */
export type Transition = "schedule" | "send" | "unschedule" | "pause" | "resume" | "cancel";

export const startsFrom: Record<Transition, readonly CampaignStatus[]> = {
  schedule: ["DRAFT"],
  send: ["DRAFT", "SCHEDULED"],
  unschedule: ["SCHEDULED"],
  pause: ["SENDING"],
  resume: ["PAUSED"],
  cancel: ["DRAFT", "SCHEDULED", "SENDING", "PAUSED"],
};

const past: Record<Transition, string> = {
  schedule: "scheduled",
  send: "sent",
  unschedule: "taken back to a draft",
  pause: "paused",
  resume: "resumed",
  cancel: "cancelled",
};

/** Why a campaign in this state cannot be moved so. */
export function refusal(transition: Transition, status: CampaignStatus): AppError {
  const hint =
    transition === "schedule" && status === "SCHEDULED"
      ? " Change its time with PATCH /v1/campaigns/{id}."
      : "";
  return new AppError(
    "CONFLICT",
    `The campaign is ${status}: only one that is ${startsFrom[transition].join(" or ")} can be ${past[transition]}.${hint}`,
  );
}
