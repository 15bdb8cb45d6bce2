import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/*
 * What a migration must not do to a table that may be large: rewrite it, scan it under a lock, or keep others
 * from reading or writing it. squawk knows the statements; what it does not check is listed here. Time limits
 * are the migrator's (db/migrator.ts).
 */

/** Tables that grow with mail and people. */
export const largeTables: readonly string[] = [
  ...["attachment_blobs", "audit_log", "bulk_change_chunks", "campaign_versions"],
  ...["captured_emails", "consent_changes"],
  ...["consent_texts", "contact_changes", "contact_import_rows", "contact_notes", "contacts"],
  ...["dmarc_rows", "email_events", "email_queue", "emails", "erased_contacts"],
  ...["forgotten_addresses"],
  ...["form_sign_ups", "hourly_figures", "idempotency_keys", "inbound_emails", "inbound_replies"],
  ...[
    "link_clicks",
    "link_figures",
    "links",
    "mail_about_contacts",
    "merged_contacts",
    "message_attachments",
    "messages",
  ],
  ...["person_requests", "project_events", "relayed_messages", "subscribers", "suppressions"],
  ...["tls_report_rows", "topic_departures", "webhook_deliveries"],
];

/** All others: a project has few rows of them, or they are kept for hours. */
export const smallTables: readonly string[] = [
  ...["api_keys", "assistant_tokens", "assistants", "bulk_changes"],
  ...["campaigns", "contact_fields", "contact_imports", "contact_surveys", "deleted_rows"],
  ...["departure_figures", "departure_totals", "domain_reports", "domains", "event_clock"],
  ...["event_marks", "export_progress", "files", "form_departures"],
  ...[
    "form_figures",
    "forms",
    "goals",
    "identity_visits",
    "inbound_routes",
    "installation",
    "invitations",
  ],
  ...["job_runs", "list_fields", "list_figures", "lists", "login_tokens", "memberships"],
  ...["monthly_usage"],
  ...["oauth_clients", "passkey_challenges", "passkeys", "platform_tokens", "presences"],
  ...["project_deletions", "project_move_changes", "project_moves", "project_paces", "projects"],
  ...["rate_limits", "receiving_domains"],
  ...["recovery_codes", "report_links", "saved_blocks", "saved_views", "second_factors"],
  ...["segments", "sender_pauses", "sending_connections", "ses_identities", "sessions"],
  ...[
    "team_letters",
    "template_drafts",
    "template_versions",
    "templates",
    "topics",
    "tracking_hosts",
  ],
  ...["user_identities", "users", "warmup_days", "warmup_hours", "warmup_receiver_hours"],
  ...["warmup_receivers", "warmups", "webhooks", "workers"],
];
const ofLargeTable = new RegExp(String.raw`(?<![\w])"?(?:${largeTables.join("|")})"?(?![\w])`, "i");

const indexRule = "require-concurrent-index-creation";
const rules = new Set([
  ...["adding-field-with-default", "adding-foreign-key-constraint", "adding-not-nullable-field"],
  ...["adding-primary-key-constraint", "adding-required-field", "adding-serial-primary-key-field"],
  ...["ban-concurrent-index-creation-in-transaction", "changing-column-type"],
  ...["constraint-missing-not-valid", "disallowed-unique-constraint", "renaming-column"],
  ...["renaming-table", indexRule, "require-concurrent-index-deletion"],
  ...["require-concurrent-reindex", "transaction-nesting", "prefer-robust-stmts", "syntax-error"],
]);

const heavy: { statement: RegExp; what: string }[] = [
  { statement: /^vacuum\b[^;]*\bfull\b/i, what: "VACUUM FULL rewrites the table" },
  { statement: /^cluster\b/i, what: "CLUSTER rewrites the table" },
  { statement: /^lock\b/i, what: "LOCK keeps others out until the migration ends" },
  { statement: /^truncate\b/i, what: "TRUNCATE waits for all readers, who then wait behind it" },
  { statement: /^alter table\b[^;]*\bset (?:un)?logged\b/i, what: "SET LOGGED rewrites the table" },
  { statement: /^alter table\b[^;]*\bset tablespace\b/i, what: "SET TABLESPACE copies the table" },
  {
    statement: /^(?:with\b[^;]*\b)?(?:update|delete from)\s/i,
    what: "rows of a large table are changed in batches, outside migrations (as db/move-queued-mail.ts does)",
  },
];

interface Finding {
  line: number;
  rule_name: string;
  message: string;
}

interface Statement {
  /** Counted from 0. */
  from: number;
  to: number;
  text: string;
}

const breakpoint = "--> statement-breakpoint";

/** The statements as the migrator runs them, without comments and the bodies of functions. */
function statementsIn(text: string): Statement[] {
  let line = 0;
  return text.split(breakpoint).map((part) => {
    const from = line + (/^\s*/.exec(part)?.[0] ?? "").split("\n").length - 1;
    line += part.split("\n").length - 1;
    const code = part.replace(/\$(\w*)\$[^]*?\$\1\$/g, "''").replace(/--.*$/gm, "");
    return { from, to: line, text: code.trim() };
  });
}

function squawk(text: string, online: boolean): Finding[] {
  const require = createRequire(import.meta.url);
  const script = join(dirname(require.resolve("squawk-cli/package.json")), "js", "bin", "squawk");
  // To squawk, drizzle's breakpoint is a comment; each statement has its own line.
  const terms = ["--reporter=json", "--pg-version=18.0", "--stdin-filepath=migration.sql"];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [script, ...terms, ...(online ? [] : ["--assume-in-transaction"])],
    { input: text, encoding: "utf8" },
  );
  if (!stdout.trim()) throw new Error(`squawk said nothing: ${stderr}`);
  return JSON.parse(stdout) as Finding[];
}

/** What in a migration blocks or rewrites a large table, in words, each with its line. */
export function blockingStatements(text: string): string[] {
  const statements = statementsIn(text);
  const online = statements.some((statement) => /\bconcurrently\b/i.test(statement.text));
  const isLarge = ({ text: code }: Statement) =>
    ofLargeTable.test(code) || /^drop index\b/i.test(code);
  const warnings = squawk(text, online).flatMap(({ line, rule_name: rule, message }) => {
    const statement = statements.find(({ from, to }) => line >= from && line <= to);
    // In a transaction a statement need not be repeatable. An index on the parent of partitions alone reads
    // no rows: db/event-stream.ts makes the partitions' indexes.
    const ofParent = rule === indexRule && /\bon only\b/i.test(statement?.text ?? "");
    const counts = rules.has(rule) && !ofParent && (rule !== "prefer-robust-stmts" || online);
    return counts && (!statement || isLarge(statement))
      ? [`line ${line + 1}: ${rule}: ${message}`]
      : [];
  });
  const named = statements
    .filter(isLarge)
    .flatMap(({ from, text: code }) =>
      heavy
        .filter(({ statement }) => statement.test(code))
        .map(({ what }) => `line ${from + 1}: ${what}`),
    );
  return [...warnings, ...named];
}
