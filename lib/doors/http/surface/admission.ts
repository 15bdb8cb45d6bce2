import type { Database } from "@/db/client";
import { counted } from "@/lib/ground/amount";
import { deniedRate } from "@/lib/domain/api-keys/acting";
import { requireHere } from "@/lib/domain/projects/moves";
import { requireRole, requireSend } from "@/lib/ground/context";
import { AppError, isAppError } from "@/lib/ground/errors";
import { takeFromRate, type RateState } from "@/lib/ground/rate-limit";
import { clientAddress } from "./client-address";
import type { Credential } from "./credential";
import type { AnyOperation } from "./operation";
import type { RequestContext, SurfacePolicy } from "./policy";

/**
 * What a request is for: an operation, a path nothing answers, what is open to all, or messages that are
 * counted only once they have been read.
 */
export type RequestTarget = AnyOperation | "unknown" | "public" | "messages";

export type CountRequest = (rate: keyof Credential["rules"]) => Promise<void>;

/** A caller who was let in. */
export interface Admitted {
  context: Credential["context"];
  /** Counts one more request towards the caller's limit of this name. Throws RATE_LIMIT_EXCEEDED. */
  countRequest: CountRequest;
}

const publicRequestsPerMinute = 600;

/**
 * On whose behalf the request is run, once it has passed credential, rate limit and scope, in this order.
 * `counted` is told where the caller's limit stands, even when the request is refused.
 */
export async function admit(
  c: RequestContext,
  policy: SurfacePolicy,
  db: Database,
  target: RequestTarget,
  counted: (rate: RateState) => void,
): Promise<Admitted> {
  const takeOne = async (taking: Promise<RateState>) => {
    const rate = await taking;
    counted(rate);
    if (!rate.allowed) throw rateError(rate);
  };
  if (target === "public") {
    const subject = `public:${clientAddress(c.req.raw, c.env)}`;
    const rule = { subject, limit: publicRequestsPerMinute, windowSeconds: 60 };
    const countRequest = () => takeOne(takeFromRate(db, rule));
    await countRequest();
    return { context: anonymous, countRequest };
  }
  let credential: Credential;
  try {
    credential = await policy.credential(db, c.req.raw);
  } catch (error) {
    // A database that is away is not the caller's fault, and cannot count it.
    if (!isAppError(error)) throw error;
    await takeOne(takeFromRate(db, deniedRate(clientAddress(c.req.raw, c.env))));
    throw error;
  }
  await requireHere(db, credential.context.projectId);
  const countRequest: CountRequest = (rate) => takeOne(takeFromRate(db, credential.rules[rate]));
  if (target !== "messages" && !policy.countedBefore) {
    await countRequest(typeof target === "string" ? "api" : target.rate);
  }
  if (typeof target !== "string") checkAccess(credential, target);
  return { context: credential.context, countRequest };
}

/** The context of an open document, which acts for nobody. */
const anonymous: Credential["context"] = {
  projectId: "",
  actor: { type: "system", id: null },
  role: "viewer",
  sendingOnly: true,
  testMode: false,
};

function rateError({ retryAfterSeconds: seconds }: RateState): AppError {
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many requests. Try again in ${counted(seconds, "second")}.`,
  );
}

function checkAccess(
  { context, isSession, lacksTwoStep }: Credential,
  operation: AnyOperation,
): void {
  if (lacksTwoStep && !operation.beforeTwoStep) {
    throw new AppError(
      "NOT_ALLOWED",
      "This project asks its members for two-step sign-in: reload the page to switch yours on.",
    );
  }
  if (operation.sessionOnly && !isSession) {
    throw new AppError("NOT_ALLOWED", "Only a person signed in to the dashboard may do this.");
  }
  if (operation.access === "send") requireSend(context);
  else requireRole(context, operation.access);
}
