import { alias } from "drizzle-orm/pg-core";
import { contacts } from "@/db/schema";

/** The alias that conditions on contacts use: a statement that takes one reads `from contacts c`. */
export const c = alias(contacts, "c");
