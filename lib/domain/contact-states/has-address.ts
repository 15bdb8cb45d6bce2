import { and, eq, sql } from "drizzle-orm";
import { contacts } from "@/db/schema";

/** Whether a contact is the one with this address in its project. */
export const hasAddress = (projectId: string, email: string) =>
  and(eq(contacts.projectId, projectId), sql`lower(${contacts.email}) = lower(${email})`);
