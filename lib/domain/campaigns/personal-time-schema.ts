import { z } from "zod";

function isTimeZone(name: string): boolean {
  try {
    // Offsets such as +01:00 are accepted too, but know nothing about summer time.
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "is not a time zone such as Europe/Berlin")
  .meta({
    description:
      "Shown beside the schedule; has no effect on it. With `personalTime`, it is the zone of people whose own is not known.",
    example: "Europe/Berlin",
  });

const personalModes = ["local", "reader"] as const;
const localTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "is not a time of day such as 09:00")
  .meta({ description: "In the person's own time zone.", example: "09:00" });
export const personalTimeInput = z
  .strictObject({
    mode: z.enum(personalModes, { error: `is not one of ${personalModes.join(", ")}` }).meta({
      description:
        "`local`: everybody at `at` in their own time zone. `reader`: at the hour they usually read, judging by what they opened and clicked in the last 180 days; people without such an hour get it at `at`, and so does a tenth of the others, for comparison.",
    }),
    at: localTime
      .optional()
      .meta({ description: "Default: 09:00. In the person's own time zone." }),
  })
  .meta({
    id: "PersonalTimeInput",
    description:
      "Each person gets the campaign at their own time, within 24 hours of its start, by `data.timezone`, else `data.country`, else the campaign's `timeZone`, else UTC. Not with an A/B test; while the sender's domain is being warmed up, its cap decides instead. null: everybody at once.",
  });

export const personalTime = z
  .object({ mode: z.enum(personalModes), at: localTime })
  .nullable()
  .meta({
    id: "PersonalTime",
    description: "How each person gets it at their own time; null: everybody at once.",
  });
