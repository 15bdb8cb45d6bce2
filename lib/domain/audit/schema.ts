import { z } from "zod";
import { auditActions } from "@/db/audit-actions";
import { dateRange, pageQuery } from "@/lib/ground/paging/schema";

const filters = {
  action: z.enum(auditActions).optional(),
  actor: z
    .string()
    .regex(
      /^(system|(usr|key|ast)_[0-9a-hjkmnp-tv-z]{26})$/,
      "is not the id of a user, an API key or an assistant, or `system`",
    )
    .optional()
    .meta({ description: "Id of a user, an API key or an assistant, or `system`." }),
  ...dateRange,
};

export const auditQuery = pageQuery.extend(filters);
export type AuditQuery = z.infer<typeof auditQuery>;

/** The same filters without paging. */
export const auditExportQuery = z.strictObject(filters);
export type AuditFilters = z.infer<typeof auditExportQuery>;

const actorTypes = ["user", "apiKey", "assistant", "system"] as const;

export const auditActor = z
  .object({
    type: z.enum(actorTypes),
    id: z.string().nullable().meta({ description: "null when it was the system." }),
    name: z.string().meta({ description: "A person's address, a key's or an assistant's name." }),
  })
  .meta({ id: "AuditActor" });
export type AuditActor = z.infer<typeof auditActor>;

const auditTarget = z.object({
  id: z.string(),
  name: z.string().meta({
    description: "Its current name; if it has been deleted, whatever is still known about it.",
  }),
  /** A subscriber is shown on the contact's page, a delivery on its webhook's. */
  pageId: z
    .string()
    .nullable()
    .meta({ description: "The id of the page that shows it; null when there is none." }),
});

export const auditEntry = z
  .object({
    id: z.string(),
    action: z.enum(auditActions),
    actor: auditActor,
    sentence: z.object({ before: z.string(), after: z.string().nullable() }).meta({
      description:
        "The entry in words, before and after its target's name; `after` is null when the name is not part of it.",
    }),
    target: auditTarget.nullable(),
    details: z.record(z.string(), z.unknown()),
    address: z.string().nullable().meta({ description: "The IP address it came from." }),
    userAgent: z.string().nullable(),
    requestId: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntry>;
