import { z } from "zod";
import { variantNames } from "@/db/enums";
import { emailQuery } from "./schema";
import { countedEvents } from "./terms";

/** The dashboard's filters of the log: those of the API, and more. */
export const logQuery = emailQuery.extend({
  event: z.enum(countedEvents).optional(),
  /** Of the campaign's A/B test: whom it was tried on. */
  variant: z.enum(variantNames).optional(),
  /** Whose reader followed this link of the campaign. */
  link: z.string().max(8_000).optional(),
  /** Whose servers take the recipient's mail, as figures by provider name them. */
  provider: z.string().trim().min(1).max(255).optional(),
});
export type LogQuery = z.infer<typeof logQuery>;

/** Of a page of the log. */
export const detailsQuery = z.strictObject({
  /** Up to 100, separated by commas. */
  ids: z.string().min(1).max(4_000),
});

/** What the log can show of an email besides its summary. */
export const emailDetails = z.object({
  id: z.string(),
  /** The sender's address. */
  from: z.string(),
  /** Its name; null: it comes from no campaign, or the campaign is gone. */
  campaign: z.string().nullable(),
  /** The same of its template. */
  template: z.string().nullable(),
  /** Who takes the recipient's mail, as figures by provider name them; null once the contact was deleted for good. */
  provider: z.string().nullable(),
  /** When something happened to it last, its acceptance included. */
  lastEventAt: z.iso.datetime(),
});
export type EmailDetails = z.infer<typeof emailDetails>;
