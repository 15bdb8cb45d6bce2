import { z } from "zod";
import { audienceExcluded } from "@/lib/domain/contact-states/schema";

/** Findings that make sending and scheduling fail. */
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
      .meta({ description: "The text at that place; null for the field as a whole." }),
    line: z
      .int()
      .nullable()
      .meta({ description: "From 1; of a template's body with the path `templateId`." }),
    column: z.int().nullable().meta({ description: "From 1." }),
  })
  .meta({ id: "PreflightPlace" });
export type PreflightPlace = z.infer<typeof place>;

const findingShape = {
  message: z.string().meta({ description: "What the problem is, and what to do about it." }),
  places: z.array(place).meta({ description: "Where to fix it, at most ten places." }),
  count: z
    .int()
    .nullable()
    .meta({ description: "How many people, links or pictures are affected." }),
  examples: z.array(z.string()).meta({ description: "Some of them: addresses, links." }),
  suggestion: z
    .string()
    .nullable()
    .meta({ description: "A suggested replacement.", example: "{{ firstName }}" }),
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
      description: "As long as there are any, sending and scheduling are refused.",
    }),
    advisory: z.array(advisory).meta({ description: "Worth knowing, most serious first." }),
    audience: z
      .object({ count, total: count, excluded: audienceExcluded })
      .nullable()
      .meta({ description: "Who would get it now; null when counting took too long." }),
    looked: z
      .object({ people: count, links: count, images: count })
      .meta({ description: "How many people were looked at; for a large audience, a sample." }),
    bytes: count.meta({ description: "The HTML as it goes out, tracking and footer included." }),
    sender: z
      .object({
        domain: z.string(),
        verified: z.boolean(),
        dmarc: z
          .enum(["none", "quarantine", "reject"])
          .nullable()
          .meta({ description: "Its published policy; null when none was found." }),
      })
      .nullable()
      .meta({ description: "null when the campaign has no sender yet." }),
    spam: z.object({
      score: z.number().meta({
        description:
          "Points from a short list of our own, not from any actual filter. With 5 or more it becomes a finding.",
      }),
      reasons: z.array(z.object({ text: z.string(), points: z.number() })),
    }),
    warmup: z
      .object({
        dailyCap: count.meta({ description: "The most emails allowed today." }),
        days: z.int().nullable().meta({
          description: "UTC days until all of it has gone out; null if that takes years.",
        }),
        expectedEndAt: z.iso.datetime().nullable(),
      })
      .nullable()
      .meta({ description: "null when the sender's domain is not being warmed up." }),
  })
  .meta({ id: "Preflight" });
export type Preflight = z.infer<typeof preflight>;
