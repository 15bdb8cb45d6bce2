import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { SesFaultKind, SesStatus } from "@/db/enums";
import { createdAt, instant, unownedId } from "./columns";
import { sendingConnections } from "./connections";
import { domains, type RecordCheck } from "./domains";

/** What Amazon SES last said of an identity. */
export interface SesAnswer {
  /** Whether it takes mail from the domain. */
  sends: boolean;
  status: SesStatus;
  /** Its word for why it could not verify it. */
  error: string | null;
  dkim: { status: SesStatus; own: boolean; selectors: string[] };
  mailFrom: { host: string; status: SesStatus } | null;
}

export interface SesFault {
  kind: SesFaultKind;
  words: string;
}

/** A sending domain as an account at Amazon SES is to know it, in one region. */
export const sesIdentities = pgTable(
  "ses_identities",
  {
    id: unownedId(),
    /** Whose account it is; null: that of MAIL_TRANSPORT. */
    connectionId: uuid("connection_id").references(() => sendingConnections.id, {
      onDelete: "cascade",
    }),
    region: text("region").notNull(),
    /** The domain's name: A-label, lower case. */
    name: text("name").notNull(),
    /** Whose mail needs it; null: the domain is gone. */
    domainId: uuid("domain_id").references(() => domains.id, { onDelete: "set null" }),
    /** Since when no mail of the domain goes this way. */
    leavingSince: instant("leaving_since"),
    /** Which key of the account was used last; null: none yet. */
    accessKeyId: text("access_key_id"),
    /** Whether we made it there, so that we may delete it; null: not known yet. */
    made: boolean("made"),
    /** The selector of the DKIM key that SES was last given. */
    selector: text("selector"),
    answer: jsonb("answer").$type<SesAnswer>(),
    /** What DNS says of the MAIL FROM domain's records. */
    checks: jsonb("checks").$type<{ MX?: RecordCheck; TXT?: RecordCheck }>().notNull().default({}),
    /** What went wrong in the last try; null: nothing. */
    fault: jsonb("fault").$type<SesFault>(),
    checkedAt: instant("checked_at"),
    /** When SES is asked next. Doubles as the lease. */
    nextCheckAt: instant("next_check_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    // One account knows a name once, whichever project has the domain.
    unique("ses_identities_name")
      .on(table.connectionId, table.region, table.name)
      .nullsNotDistinct(),
    // What a domain's page shows.
    index("ses_identities_domain")
      .on(table.domainId)
      .where(sql`domain_id is not null`),
    // The claim of what is due.
    index("ses_identities_due").on(table.nextCheckAt),
  ],
);
