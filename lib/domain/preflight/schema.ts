import { z } from "zod";
import { audienceExcluded } from "@/lib/domain/contact-states/schema";

/** Without these it is refused when it is to be sent or scheduled. */
const blockingCodes = [
  "incomplete",
  "sender_not_verified",
  "app_url_not_https",
  "template_invalid",
  "template_fails",
  "unsubscribe_hidden",
] as const;

const advisoryCodes = [
  "audience_empty",
  "audience_not_counted",
  "placeholder_unknown",
  "placeholder_missing",
  "placeholders_not_checked",
  "template_fails_for_some",
  "link_invalid",
  "link_broken",
  "link_unreachable",
  "links_not_checked",
  "image_without_alt",
  "image_too_heavy",
  "image_broken",
  "image_embedded",
  "size_over_102_kb",
  "unsubscribe_added",
  "postal_address_missing",
  "dmarc_problem",
  "dns_problem",
  "spam_words",
  "already_sent",
  "warm_up",
  "warm_up_advised",
  "paced",
  "ab_test_small",
] as const;

const place = z
  .object({
    path: z.string().meta({
      description: "The field, as in the campaign's input.",
      example: "abTest.variants[1].body",
    }),
    excerpt: z
      .string()
      .nullable()
      .meta({ description: "What stands there; null: the field as a whole." }),
    line: z
      .int()
      .nullable()
      .meta({ description: "From 1; of a template's body with the path `templateId`." }),
    column: z.int().nullable().meta({ description: "From 1." }),
  })
  .meta({ id: "PreflightPlace" });
export type PreflightPlace = z.infer<typeof place>;

const findingShape = {
  message: z.string().meta({ description: "What is the matter, and what to do about it." }),
  places: z.array(place).meta({ description: "Where to mend it, ten at most." }),
  count: z
    .int()
    .nullable()
    .meta({ description: "How many people, links or pictures it concerns." }),
  examples: z.array(z.string()).meta({ description: "Some of them: addresses, links." }),
  suggestion: z
    .string()
    .nullable()
    .meta({ description: "What could stand there instead.", example: "{{ firstName }}" }),
};

const blocking = z
  .object({ code: z.enum(blockingCodes), ...findingShape })
  .meta({ id: "PreflightBlocking" });
export type BlockingFinding = z.infer<typeof blocking>;

const advisory = z
  .object({ code: z.enum(advisoryCodes), ...findingShape })
  .meta({ id: "PreflightAdvisory" });
export type AdvisoryFinding = z.infer<typeof advisory>;

const count = z.int().min(0);

export const preflight = z
  .object({
    campaignId: z.string().meta({ example: "cmp_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    checkedAt: z.iso.datetime(),
    contentUpdatedAt: z.iso
      .datetime()
      .meta({ description: "The campaign's `updatedAt` at that time." }),
    blocking: z.array(blocking).meta({
      description: "While there are any, sending and scheduling is refused.",
    }),
    advisory: z.array(advisory).meta({ description: "Worth knowing, the gravest first." }),
    audience: z
      .object({ count, total: count, excluded: audienceExcluded })
      .nullable()
      .meta({ description: "Who would get it now; null: counting took too long." }),
    looked: z
      .object({ people: count, links: count, images: count })
      .meta({ description: "How many were looked at: of a large audience, a sample." }),
    bytes: count.meta({ description: "The HTML as it goes out, tracking and footer included." }),
    sender: z
      .object({
        domain: z.string(),
        verified: z.boolean(),
        dmarc: z
          .enum(["none", "quarantine", "reject"])
          .nullable()
          .meta({ description: "Its published policy; null: none was found." }),
      })
      .nullable()
      .meta({ description: "null: the campaign has no sender yet." }),
    spam: z.object({
      score: z.number().meta({
        description:
          "Points from a short list of our own, not those of any filter. From 5 on it is a finding.",
      }),
      reasons: z.array(z.object({ text: z.string(), points: z.number() })),
    }),
    warmup: z
      .object({
        dailyCap: count.meta({ description: "Emails today at most." }),
        days: z
          .int()
          .nullable()
          .meta({ description: "UTC days until all of it has gone out; null: not for years." }),
        expectedEndAt: z.iso.datetime().nullable(),
      })
      .nullable()
      .meta({ description: "null: the sender's domain is not being warmed up." }),
  })
  .meta({ id: "Preflight" });
export type Preflight = z.infer<typeof preflight>;
