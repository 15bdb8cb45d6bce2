import { alias } from "drizzle-orm/pg-core";
import { contacts } from "@/db/schema";

/** What conditions on contacts are written on: a statement that takes one reads `from contacts c`. */
export const c = alias(contacts, "c");
