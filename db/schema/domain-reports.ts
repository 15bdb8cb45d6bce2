import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { createdAt, id, instant } from "./columns";
import { domains } from "./domains";
import { projects } from "./projects";

const amount = (name: string) => bigint(name, { mode: "number" }).notNull();

/** The result of checking one mail's origin, in the words of the server that checked. */
export interface ReportedCheck {
  domain: string;
  result: string;
  /** For a DKIM signature. */
  selector?: string;
}

/** What receivers report on a domain, each report once: who sends in its name, or how TLS fares. */
export const domainReports = pgTable(
  "domain_reports",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    domainId: uuid("domain_id")
      .notNull()
      .references(() => domains.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["dmarc", "tls"] }).notNull(),
    /** The domain that the report's mail provably came from. */
    reporter: text("reporter").notNull(),
    /** What the reporter calls itself. */
    organization: text("organization").notNull(),
    reportId: text("report_id").notNull(),
    beginsAt: instant("begins_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    /** `p` as the reporter saw it; null for TLS. */
    policy: text("policy"),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("domain_reports_once").on(
      table.domainId,
      table.kind,
      table.reporter,
      table.reportId,
    ),
    index("domain_reports_project").on(table.projectId),
    // What a domain's page shows.
    index("domain_reports_period").on(table.domainId, table.kind, table.beginsAt),
    // The limit per day, and the clean-up.
    index("domain_reports_age").on(table.createdAt),
  ],
);

/** Mail from one source address with the same outcome, as a DMARC report counts it. */
export const dmarcRows = pgTable(
  "dmarc_rows",
  {
    reportId: uuid("report_id")
      .notNull()
      .references(() => domainReports.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    /** Empty: all that was too much to keep separately. */
    sourceAddress: text("source_address").notNull(),
    messages: amount("messages"),
    disposition: text("disposition", { enum: ["none", "quarantine", "reject"] }).notNull(),
    dkimAligned: text("dkim", { enum: ["pass", "fail"] }).notNull(),
    spfAligned: text("spf", { enum: ["pass", "fail"] }).notNull(),
    headerFrom: text("header_from").notNull(),
    dkimResults: jsonb("dkim_results").$type<ReportedCheck[]>().notNull(),
    spfResults: jsonb("spf_results").$type<ReportedCheck[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.reportId, table.position] })],
);

/** Sessions with a domain's mail servers with the same outcome; without a failure they had TLS. */
export const tlsReportRows = pgTable(
  "tls_report_rows",
  {
    reportId: uuid("report_id")
      .notNull()
      .references(() => domainReports.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    policyType: text("policy_type").notNull(),
    sessions: amount("sessions"),
    /** The result type of RFC 8460, section 4.3; null: they went well. */
    failure: text("failure"),
    receivingHost: text("receiving_host"),
  },
  (table) => [primaryKey({ columns: [table.reportId, table.position] })],
);
