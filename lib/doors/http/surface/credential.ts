import type { Context } from "@/lib/ground/context";
import type { RateRule } from "@/lib/ground/rate-limit";

/** Who is calling, and which rate limits the call counts towards. */
export interface Credential {
  context: Omit<Context, "db" | "requestId" | "origin">;
  isSession: boolean;
  /** Opens only what is needed for two-step sign-in, until the person has it. */
  lacksTwoStep?: boolean;
  rules: Record<"send" | "api", RateRule>;
}
