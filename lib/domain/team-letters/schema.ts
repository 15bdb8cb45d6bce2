import { z } from "zod";
import { teamLetterKinds, type TeamLetterKind } from "@/db/enums";

const descriptions: Record<TeamLetterKind, string> = {
  campaignSent: "A campaign has gone to everybody it was for.",
  campaignStopped:
    "A campaign was paused to protect the sender's reputation or by the monthly limit, or has failed.",
  domainFailed: "A sending domain's DNS records are missing or wrong.",
  mailReplaced:
    "A list's or form's own confirmation or welcome email could not be made from its template, so the standard one went out.",
  sendingHeld: "A mail server takes no mail, or none from one of the project's domains.",
  webhookDisabled: "A webhook was switched off.",
  weeklySummary: "The week's figures, on Mondays.",
  workFailed: "An import, or a change of many contacts, has failed.",
};

/** Which mails about the project a member gets. */
export const teamLetterChoices = z
  .object(
    Object.fromEntries(
      teamLetterKinds.map((kind) => [kind, z.boolean().meta({ description: descriptions[kind] })]),
    ) as Record<TeamLetterKind, z.ZodBoolean>,
  )
  .meta({ id: "TeamLetterChoices" });
export type TeamLetterChoices = z.infer<typeof teamLetterChoices>;

export const teamLetterUpdate = z
  .strictObject(
    Object.fromEntries(teamLetterKinds.map((kind) => [kind, z.boolean().optional()])) as Record<
      TeamLetterKind,
      z.ZodOptional<z.ZodBoolean>
    >,
  )
  .meta({ id: "TeamLetterUpdate", description: "Only the given ones change." });
export type TeamLetterUpdate = z.infer<typeof teamLetterUpdate>;
