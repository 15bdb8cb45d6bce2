import { z } from "zod";

function isTimeZone(name: string): boolean {
  try {
    // Offsets as +01:00 are taken too, and say nothing about summer time.
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "is not a time zone like Europe/Berlin")
  .meta({
    description:
      "Shown beside the schedule; has no effect on it. With `personalTime` the zone of people whose own is not known.",
    example: "Europe/Berlin",
  });

const personalModes = ["local", "reader"] as const;
const localTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "is not a time of the day like 09:00")
  .meta({ description: "On the person's own clock.", example: "09:00" });
export const personalTimeInput = z
  .strictObject({
    mode: z.enum(personalModes, { error: `is not one of ${personalModes.join(", ")}` }).meta({
      description:
        "`local`: everybody at `at` in their own time zone. `reader`: at the hour they usually read, by what they opened and clicked in 180 days; whoever has no such hour at `at`, and so does a tenth of the others, to compare.",
    }),
    at: localTime.optional().meta({ description: "Default: 09:00. On the person's own clock." }),
  })
  .meta({
    id: "PersonalTimeInput",
    description:
      "Each person gets the campaign at a time of their own within 24 hours of its start, by `data.timezone`, else `data.country`, else the campaign's `timeZone`, else UTC. Not with an A/B test; while the sender's domain is warmed up its cap decides instead. null: everybody at once.",
  });

export const personalTime = z
  .object({ mode: z.enum(personalModes), at: localTime })
  .nullable()
  .meta({
    id: "PersonalTime",
    description: "How each person gets it at a time of their own; null: everybody at once.",
  });
