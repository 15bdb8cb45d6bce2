import { z } from "zod";
import { headerText } from "@/lib/domain/emails/schema";
import { instant } from "@/lib/ground/time-schema";

export const mostReportLinks = 50;
const longestName = 100;

export const reportLinkInput = z
  .strictObject({
    name: headerText(longestName).trim().optional().meta({
      description: "Whom it is for; the report does not show it.",
      example: "For the board",
    }),
    expiresAt: instant
      .nullable()
      .optional()
      .meta({ description: "From when on it opens nothing. Absent: when it is revoked." }),
  })
  .meta({ id: "ReportLinkInput" });
export type ReportLinkInput = z.infer<typeof reportLinkInput>;

export const reportLink = z
  .object({
    id: z.string().meta({ example: "rpl_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    name: z.string(),
    url: z.string().meta({ description: "Whoever has it reads the report without signing in." }),
    expiresAt: z.iso.datetime().nullable(),
    expired: z.boolean(),
    author: z
      .object({
        type: z.enum(["user", "apiKey"]),
        id: z.string(),
        name: z.string().nullable().meta({ description: "null: deleted since." }),
      })
      .nullable(),
    opens: z.int().meta({ description: "How often the report was opened by this link." }),
    lastOpenedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ReportLink" });
export type ReportLink = z.infer<typeof reportLink>;

export const reportLinks = z
  .object({ data: z.array(reportLink).meta({ description: "Newest first." }) })
  .meta({ id: "ReportLinks" });
export type ReportLinks = z.infer<typeof reportLinks>;
