import { and, eq, sql } from "drizzle-orm";
import { contacts } from "@/db/schema";

/** Whether a contact is the project's one of an address. */
export const hasAddress = (projectId: string, email: string) =>
  and(eq(contacts.projectId, projectId), sql`lower(${contacts.email}) = lower(${email})`);
