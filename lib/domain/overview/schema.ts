import { z } from "zod";
import { providerFigures, verdict } from "@/lib/domain/receivers/provider-figures-schema";
import { rangeNames } from "./terms";

export const overviewRange = z.enum(rangeNames);

export const overviewQuery = z.strictObject({ range: overviewRange.default("7d") });
export type OverviewQuery = z.infer<typeof overviewQuery>;

const bucket = z.object({
  at: z.iso.datetime().meta({ description: "Start of the hour or UTC day." }),
  delivered: z.int().meta({
    description: "Known to have arrived: reported, or opened, clicked or complained about.",
  }),
  underWay: z.int().meta({ description: "Handed over without a report yet." }),
  problems: z.int().meta({ description: "Bounced or failed." }),
});

const totals = z.object({
  sent: z.int().meta({
    description: "Handed over to a mail server, which accepted it or refused it permanently.",
  }),
  delivered: z.int(),
  opened: z.int(),
  clicked: z.int(),
  bounced: z.int(),
  complained: z.int(),
  failed: z.int(),
});

const rates = z.object({
  opens: z.number().nullable(),
  clicks: z.number().nullable(),
  bounces: z.number().nullable(),
  complaints: z.number().nullable(),
});

/** Something that is wrong now and that somebody can mend. */
const attention = z.object({
  kind: z.enum(["connection", "limit", "domain", "campaign", "webhook"]),
  id: z.string().nullable().meta({ description: "Of the thing; null for the monthly limit." }),
  name: z.string(),
  words: z.string().nullable().meta({ description: "The reason, where one is known." }),
});
export type Attention = z.infer<typeof attention>;

export const overview = z.object({
  range: overviewRange,
  totals,
  before: z
    .object({ totals, rates })
    .meta({ description: "The same of the period of the same length before it." }),
  deliveryConfirmed: z
    .boolean()
    .meta({ description: "Reports tell of most of the mail that was accepted." }),
  rates: rates.meta({
    description:
      "0 to 1. Bounces of what was sent; the others of what was delivered where that is confirmed, else of what was accepted and did not bounce. Null: there is nothing to be a share of.",
  }),
  health: z.object({ bounces: verdict.nullable(), complaints: verdict.nullable() }).meta({
    description: "Of the last seven days, whatever the range; null: too little was sent.",
  }),
  attention: z
    .array(attention)
    .meta({ description: "What is wrong and can be mended, the most urgent first." }),
  next: z.object({
    scheduled: z
      .object({ id: z.string(), name: z.string(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: "The campaign that goes out next." }),
    draft: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "The unfinished campaign that was begun last." }),
  }),
  buckets: z.array(bucket),
  setUp: z.object({
    contacts: z.boolean().meta({ description: "There is somebody to write to." }),
    campaignId: z.string().nullable().meta({ description: "The newest campaign." }),
    campaignTest: z.boolean().meta({ description: "A campaign was sent to somebody as a test." }),
    apiKey: z.boolean().meta({ description: "A key exists." }),
    verifiedDomain: z.string().nullable().meta({ description: "The first of the project's own." }),
    openDomainId: z.string().nullable().meta({
      description: "The newest of its own that is not verified yet.",
    }),
    firstEmailId: z.string().nullable(),
    realSend: z.boolean().meta({
      description: "Something other than a test was sent from a domain of its own.",
    }),
  }),
});
export type Overview = z.infer<typeof overview>;

export const overviewProviders = z
  .object({
    deliveryConfirmed: z.boolean().meta({
      description: "Of all mail of these days: what the providers' rates are shares of.",
    }),
    newestOnly: z.boolean().meta({
      description: "So much mail has left that only the newest 100,000 emails are counted.",
    }),
    providers: z.array(providerFigures).meta({
      description:
        "Of mail that was handed over: what waits is not counted. The most recipients first.",
    }),
  })
  .meta({ id: "OverviewProviders" });
export type OverviewProviders = z.infer<typeof overviewProviders>;
