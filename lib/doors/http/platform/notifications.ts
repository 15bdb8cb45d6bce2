import { z } from "zod";
import { invalid } from "@/lib/ground/errors";
import { recordReport, type DeliveryReport } from "@/lib/domain/delivery-reports/report";
import { operation } from "@/lib/doors/http/surface/operation";
import { done, plainOutcome } from "./values";

const tag = "Notifications";
const recorded = "Notification was recorded";

/** Other words for the four types. */
const kinds = {
  sent: "delivered",
  delivered: "delivered",
  bounced: "bounced",
  bounce: "bounced",
  reported: "complained",
  abuse: "complained",
  spam: "complained",
  complaint: "complained",
  failed: "failed",
  failure: "failed",
} as const satisfies Record<string, DeliveryReport["kind"]>;
type TypeWord = keyof typeof kinds;
const typeWords = Object.keys(kinds) as [TypeWord, ...TypeWord[]];

const lowerCase = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  z
    .string()
    .max(100)
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.enum(words, { error: `is not one of ${words.join(", ")}` }));

const shape = {
  message_id: z.string().min(1, "is required").max(1_000).meta({
    description: "The Message-ID header, with or without <>, or the email's id.",
    example: "<em_01kat4rz8sfq3v6d1mpx3k6w9j@example.com>",
  }),
  bounce_type: lowerCase(["hard", "soft"])
    .optional()
    .meta({ description: "hard or soft; required for bounced.", example: "hard" }),
  bounced_type: lowerCase(["hard", "soft"])
    .optional()
    .meta({ description: "The same as `bounce_type`." }),
  report_type: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: "Required for reported.", example: "hard" }),
  description: z.string().max(65_536).nullish().meta({ description: "What the report says." }),
};

const notification = z
  .object({
    ...shape,
    type: lowerCase(typeWords).meta({
      description: "sent, bounced, reported or failed; abuse and spam mean reported.",
      example: "bounced",
    }),
  })
  .meta({ id: "Notification" });
const bounceNotification = z
  .object({ ...shape, type: lowerCase(["bounced", "bounce"]).optional() })
  .meta({ id: "BounceNotification" });

type Body = Omit<z.output<typeof notification>, "type">;

function toReport(type: TypeWord, body: Body): DeliveryReport {
  const kind = kinds[type];
  if (kind === "bounced") {
    const bounce = body.bounce_type ?? body.bounced_type;
    if (!bounce) throw invalid("bounce_type", "is required when type is bounced");
    return { kind, hard: bounce === "hard" };
  }
  if (kind !== "complained") return { kind };
  if (type === "reported" && !body.report_type) {
    throw invalid("report_type", "is required when type is reported");
  }
  return { kind, type: (body.report_type ?? type).slice(0, 100) };
}

const common = {
  method: "post",
  tag,
  access: "editor",
  rate: "api",
  answer: plainOutcome,
  answerExample: { status: 1, message: recorded },
  successStatuses: [200],
  errors: ["NOT_FOUND"],
} as const;
const exampleId = "<em_01kat4rz8sfq3v6d1mpx3k6w9j@example.com>";

export const notificationOperations = [
  operation({
    ...common,
    path: "/notification",
    name: "notify",
    summary: "Report what happened to an email",
    description:
      "sent: delivered. bounced, hard: the email is BOUNCED and its address suppressed; soft: noted, the fifth in a row without a delivery counts as hard. reported: COMPLAINED, and the person is unsubscribed and suppressed. failed: FAILED. A repeated report changes nothing.",
    body: notification,
    bodyExamples: {
      bounced: {
        summary: "A hard bounce",
        value: {
          message_id: exampleId,
          type: "bounced",
          bounce_type: "hard",
          description: "550 5.1.1 no such user",
        },
      },
      reported: {
        summary: "A complaint",
        value: { message_id: exampleId, type: "reported", report_type: "abuse" },
      },
    },
    run: async (ctx, { body }) => {
      const { message_id: id, type, description } = body;
      await recordReport(ctx, id, toReport(type, body), description ?? "");
      return done(recorded);
    },
  }),
  operation({
    ...common,
    path: "/notification/bounce",
    name: "notifyBounce",
    summary: "Report a bounce",
    description: "The same as /notification with the type bounced.",
    body: bounceNotification,
    bodyExamples: {
      hard: { summary: "A hard bounce", value: { message_id: exampleId, bounce_type: "hard" } },
    },
    run: async (ctx, { body }) => {
      const { message_id: id, description } = body;
      await recordReport(ctx, id, toReport("bounced", body), description ?? "");
      return done(recorded);
    },
  }),
] as const;
