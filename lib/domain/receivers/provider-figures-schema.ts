import { z } from "zod";

/** What mailbox providers make of a rate: askance at `high`, and at `tooHigh` they refuse mail. */
export const verdict = z.enum(["healthy", "high", "tooHigh"]);
export type Verdict = z.infer<typeof verdict>;

const readers = "0 to 1, of delivered where `deliveryConfirmed`, else of sent minus bounced.";

/** What became of mail at one receiving provider. */
export const providerFigures = z
  .object({
    name: z.string().meta({ description: "Whose mail servers take it, by the address." }),
    recipients: z.int(),
    sent: z.int().meta({
      description: "Handed to a mail server, which accepted it or refused it permanently.",
    }),
    delivered: z.int(),
    opened: z.int(),
    clicked: z.int(),
    bounced: z.int(),
    complained: z.int(),
    openRate: z.number().meta({ description: readers }),
    clickRate: z.number().meta({ description: readers }),
    bounceRate: z.number().meta({ description: "0 to 1, of sent." }),
    complaintRate: z.number().meta({ description: readers }),
    health: z.object({ bounces: verdict.nullable(), complaints: verdict.nullable() }).meta({
      description: "How providers judge such rates; null: too little was sent to tell.",
    }),
  })
  .meta({ id: "ProviderFigures" });
export type ProviderFigures = z.infer<typeof providerFigures>;
