import { z } from "zod";
import { amount } from "@/lib/ground/amount";

/** Beyond that many, what waits is not counted. */
export const mostCounted = 10_000;

const mostAnHour = 10_000_000;
const wholeNumber = `is not a whole number from 1 to ${amount(mostAnHour)}`;

export const campaignPace = z
  .strictObject({
    emailsPerHour: z
      .int(wholeNumber)
      .min(1, wholeNumber)
      .max(mostAnHour, wholeNumber)
      .nullable()
      .meta({
        description:
          "Emails that all campaigns of the project together let out in an hour, spread evenly over it, tries after a refusal among them; null: as many as can leave.",
        example: 5_000,
      }),
  })
  .meta({ id: "CampaignPace" });
export type CampaignPace = z.infer<typeof campaignPace>;

export const sendingState = z
  .object({
    hold: z
      .object({
        reason: z.enum(["restored", "asked"]).meta({
          description:
            "restored: the database was restored from a backup, and what waits may have been sent since it was made. asked: the operator holds all mail.",
        }),
        since: z.iso.datetime(),
      })
      .nullable()
      .meta({
        description:
          "While it is set no mail of the project leaves; `POST /v1/sending/go-on` ends it.",
      }),
    waiting: z
      .object({
        transactional: z.int(),
        campaigns: z.int(),
      })
      .nullable()
      .meta({
        description: `What is in the queue, of each counted up to ${mostCounted}; null: nothing keeps it from leaving.`,
      }),
    mailServer: z
      .object({
        state: z.enum(["throttled", "unavailable"]),
        words: z.string().meta({ description: "What the server says." }),
        since: z.iso.datetime(),
        perMinute: z
          .int()
          .nullable()
          .meta({ description: "Emails it is given meanwhile; null: none." }),
      })
      .nullable()
      .meta({
        description:
          "throttled: it asked for less mail. unavailable: no session with it can be had, as when it refuses the login. What waits goes out as soon as it takes it.",
      }),
    receivers: z
      .array(
        z.object({
          receiver: z.string().meta({ description: "Who runs the servers that asked for less." }),
          perMinute: z.int(),
          since: z.iso.datetime(),
        }),
      )
      .meta({ description: "Those for whom mail of the project waits, the slowest first." }),
    senders: z
      .array(
        z.object({
          domain: z.string().meta({ description: "Id of the sending domain." }),
          name: z.string(),
          words: z.string().meta({ description: "What the server says." }),
          since: z.iso.datetime(),
          waiting: z.int().meta({ description: `Emails, counted up to ${mostCounted}.` }),
        }),
      )
      .meta({
        description:
          "Senders whom the mail server refuses, whoever the mail is for. Their mail outside campaigns waits; an email a minute is tried, and `POST /v1/domains/{id}/resume` lets all of it go on.",
      }),
  })
  .meta({ id: "SendingState" });
export type SendingState = z.infer<typeof sendingState>;
