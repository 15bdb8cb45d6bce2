import { sql } from "drizzle-orm";

const leaseSeconds = 120;

/** Until when a change is its worker's; each chunk renews it. */
export const leaseEnd = sql`app_now() + make_interval(secs => ${leaseSeconds})`;
