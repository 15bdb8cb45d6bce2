import type { Context } from "@/lib/ground/context";
import type { RateRule } from "@/lib/ground/rate-limit";

/** Who called, and by which rules the call is counted. */
export interface Credential {
  context: Omit<Context, "db" | "requestId">;
  isSession: boolean;
  rules: Record<"send" | "api", RateRule>;
}
