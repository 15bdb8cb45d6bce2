import { z } from "zod";
import { connectionKinds } from "@/db/enums";
import { amount } from "@/lib/ground/amount";
import { mostCounted } from "./terms";

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
          "How many emails an hour all campaigns of the project together may send, spread evenly and including retries; null: as many as possible.",
        example: 5_000,
      }),
  })
  .meta({ id: "CampaignPace" });
export type CampaignPace = z.infer<typeof campaignPace>;

export const sendingState = z
  .object({
    way: z
      .object({
        connectionId: z.string().nullable().meta({
          description: "Id of the project's standard connection; null: the installation's way.",
        }),
        kind: z.enum(["capture", ...connectionKinds]),
        region: z.string().nullable().meta({
          description: "Where the provider's account is, if it has regions.",
          example: "eu-central-1",
        }),
      })
      .meta({ description: "How mail of domains leaves that name no connection of their own." }),
    hold: z
      .object({
        reason: z.enum(["restored", "asked"]).meta({
          description:
            "restored: the database was restored from a backup, and waiting mail may already have been sent since it was made. asked: the operator is holding all mail.",
        }),
        since: z.iso.datetime(),
      })
      .nullable()
      .meta({
        description:
          "While it is set, no mail of the project leaves; `POST /v1/sending/go-on` ends it.",
      }),
    waiting: z
      .object({
        transactional: z.int(),
        campaigns: z.int(),
      })
      .nullable()
      .meta({
        description: `What is in the queue, each counted up to ${mostCounted}; null when nothing keeps it from leaving.`,
      }),
    mailServer: z
      .object({
        state: z.enum(["throttled", "unavailable"]),
        words: z.string().meta({ description: "What the server says." }),
        since: z.iso.datetime(),
        perMinute: z
          .int()
          .nullable()
          .meta({ description: "How many emails it currently gets; null when none." }),
      })
      .nullable()
      .meta({
        description:
          "throttled: it asked for less mail. unavailable: no session with it can be opened, for example because it refuses the login. Waiting mail goes out as soon as it is accepted.",
      }),
    receivers: z
      .array(
        z.object({
          receiver: z.string().meta({ description: "The provider whose servers asked for less." }),
          perMinute: z.int(),
          since: z.iso.datetime(),
        }),
      )
      .meta({
        description: "Only receivers for which mail of the project is waiting, slowest first.",
      }),
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
          "Senders that the mail server refuses, whoever the mail is for. Their mail outside campaigns waits; one email a minute is tried, and `POST /v1/domains/{id}/resume` resumes all of it.",
      }),
  })
  .meta({ id: "SendingState" });
export type SendingState = z.infer<typeof sendingState>;
