import { z } from "zod";
import { database } from "@/db/client";
import { signInByIdentity } from "@/lib/domain/projects/identity-sign-in";
import { beginVisit, IdentityFault, readReturn } from "@/lib/domain/users/identity-provider";
import type { IdentityProblem } from "@/lib/domain/users/identity-schema";
import { keepVisit, takeVisit, visitLifeSeconds } from "@/lib/domain/users/identity-visits";
import { isLocalPath } from "@/lib/domain/users/login-tokens";
import { clientAddress } from "@/lib/doors/http/surface/client-address";
import { errorResponse } from "@/lib/doors/http/surface/errors";
import { requestIdOf } from "@/lib/doors/http/surface/request-record";
import { originOf } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { isAppError } from "@/lib/ground/errors";
import { randomBase62 } from "@/lib/ground/secrets";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { validate } from "@/lib/ground/validate";
import { handleOwnWrite } from "./account";
import { ownCookie, pendingCookie } from "./own-cookie";
import { setSessionCookie } from "./session-cookie";
import { throttleProvider } from "./throttles";

/** Binds a return from the provider to the browser that left for it. */
const holderCookie = ownCookie("oidc", visitLifeSeconds);

const departure = z.object({
  to: z.string().max(4000).refine(isLocalPath, "is not a path on this site").default("/dashboard"),
});

/** `POST /api/auth/oidc {to}`: where at the identity provider to sign in. Each answer can be used once. */
export function leaveForProvider(request: Request): Promise<Response> {
  return handleOwnWrite(request, async (body) => {
    const { to } = validate(departure, body);
    const db = database();
    await throttleProvider(db, clientAddress(request));
    // One for all tabs: a second one must not end what the first was told.
    const kept = holderCookie.read(request.headers.get("cookie"));
    const holder = /^[0-9A-Za-z]{43}$/.test(kept) ? kept : randomBase62(43);
    const { url, secrets } = await beginVisit();
    await keepVisit(db, { holder, secrets, redirectTo: to });
    return { status: 200, body: { url }, headers: { "set-cookie": holderCookie.set(holder) } };
  });
}

/** Leads on to a path on this site. */
function leadTo(path: string, cookie?: string): Response {
  const headers = new Headers({
    location: `${env().APP_URL}${path}`,
    "cache-control": "no-store",
    // The address has the provider's code in it.
    "referrer-policy": "no-referrer",
  });
  if (cookie !== undefined) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

const backToSignIn = (problem: IdentityProblem, to: string) =>
  leadTo(`/sign-in?${new URLSearchParams({ problem, to }).toString()}`);

async function signInOnReturn(request: Request, requestId: string): Promise<Response> {
  const db = database();
  const address = clientAddress(request);
  await throttleProvider(db, address);
  const { search, searchParams } = new URL(request.url);
  const holder = holderCookie.read(request.headers.get("cookie"));
  const visit = await takeVisit(db, { state: searchParams.get("state") ?? "", holder });
  if (!visit) return backToSignIn("expired", "/dashboard");
  const { secrets, redirectTo } = visit;
  try {
    const claims = await readReturn(search.slice(1), secrets);
    const origin = { ...originOf(address, request.headers), requestId };
    const outcome = await signInByIdentity(db, claims, origin);
    if ("problem" in outcome) return backToSignIn(outcome.problem, redirectTo);
    if ("pendingToken" in outcome) {
      const page = `/sign-in/code?${new URLSearchParams({ to: redirectTo }).toString()}`;
      return leadTo(page, pendingCookie.set(outcome.pendingToken));
    }
    return leadTo(redirectTo, await setSessionCookie(outcome));
  } catch (thrown) {
    if (thrown instanceof IdentityFault) return backToSignIn(thrown.problem, redirectTo);
    throw thrown;
  }
}

/** `GET /api/auth/oidc/callback`: where the provider sends people back to. Signs in, or leads to the page that says why not. */
export async function returnFromProvider(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  try {
    return await signInOnReturn(request, requestId);
  } catch (thrown) {
    if (isAppError(thrown) && thrown.code === "RATE_LIMIT_EXCEEDED") {
      return backToSignIn("often", "/dashboard");
    }
    return errorResponse(toAppError(thrown, requestId), requestId);
  }
}
