import { sql } from "drizzle-orm";
import { customType, timestamp, uuid } from "drizzle-orm/pg-core";
import { newUnownedId } from "@/lib/ground/ids/ids";

/** For what a project owns: newId(projectId), so each insert names it. */
export const id = () => uuid("id").primaryKey();

/** For what no project owns. */
export const unownedId = () =>
  uuid("id")
    .primaryKey()
    .$defaultFn(() => newUnownedId());

/** SQL takes the time only from app_now(), so that tests can move it. */
export const now = sql`app_now()`;

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const createdAt = () => instant("created_at").notNull().default(now);
export const updatedAt = () => instant("updated_at").notNull().default(now);

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => "bytea",
});
