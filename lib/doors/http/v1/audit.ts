import { z } from "zod";
import { exportAuditLog } from "@/lib/domain/audit/export";
import { listAuditActors, listAuditEntries } from "@/lib/domain/audit/read";
import { auditActor, auditEntry, auditExportQuery, auditQuery } from "@/lib/domain/audit/schema";
import { followed } from "@/lib/domain/exports/schema";
import { pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { exportedFile } from "./exports";

const shared = {
  method: "get",
  tag: "Audit log",
  rate: "api",
  sessionOnly: true,
  access: "admin",
  successStatuses: [200],
} as const;

/** Who did what in the project, for those responsible for it. */
export const auditOperations = [
  operation({
    ...shared,
    path: "/v1/audit",
    name: "listAuditEntries",
    summary: "List audit entries",
    description: "Newest first.",
    query: auditQuery,
    answer: pageSchema(auditEntry).meta({ id: "AuditPage" }),
    run: async (ctx, { query }) => ({ status: 200, body: await listAuditEntries(ctx, query) }),
  }),
  operation({
    ...shared,
    path: "/v1/audit/actors",
    name: "listAuditActors",
    summary: "List the actors in the audit log",
    answer: z.object({ data: z.array(auditActor) }).meta({ id: "AuditActors" }),
    run: async (ctx) => ({ status: 200, body: await listAuditActors(ctx) }),
  }),
  operation({
    ...shared,
    path: "/v1/audit/export",
    name: "exportAuditLog",
    summary: "Export the audit log as CSV",
    description:
      "Streamed, newest first. Cells that a spreadsheet would run as a formula get a leading quote.",
    query: auditExportQuery.extend(followed),
    answerType: "text/csv",
    // It is audited; what it reads asks the replica.
    reads: "primary",
    run: (ctx, { query: { progress, ...query } }) =>
      exportedFile(ctx, "audit-log.csv", progress, () => exportAuditLog(ctx, query)),
  }),
] as const;
