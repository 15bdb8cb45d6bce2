import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { contacts } from "@/db/schema";

/** The alias that conditions on contacts use: a statement that takes one reads `from contacts c`. */
export const c = alias(contacts, "c");

/**
 * Whether the contact is among those whose ids a statement of its own selects. It runs once and is looked up by hash,
 * whatever the planner believes of a project that it has no statistics about: joined, it was read again for each contact.
 */
export const isAmong = (contactIds: SQL) =>
  sql`(${c.id} in (select unnest(array(${contactIds}))) is true)`;
