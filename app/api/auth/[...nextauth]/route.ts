import NextAuth from "next-auth/next";
import { NextRequest } from "next/server";
import { pendingCookie } from "@/lib/doors/http/sign-in/own-cookie";
import { signInOptions } from "@/lib/doors/http/sign-in/sign-in";
import { readStrangersBody, signInBodyLimit } from "@/lib/doors/http/surface/body";
import { errorResponse } from "@/lib/doors/http/surface/errors";
import { refuseOtherMethods } from "@/lib/doors/http/surface/other-methods";
import { env } from "@/lib/ground/env/env";
import type { AppError } from "@/lib/ground/errors";
import { requestIdOf } from "@/lib/doors/http/surface/request-record";
import { toAppError } from "@/lib/ground/unforeseen-errors";

export const dynamic = "force-dynamic";

interface Route {
  params: Promise<{ nextauth: string[] }>;
}

/** What next-auth does for each method; to any other it answers as if the address did not exist. */
const methods: Record<string, string> = {
  providers: "GET, HEAD",
  csrf: "GET, HEAD",
  error: "GET, HEAD",
  "verify-request": "GET, HEAD",
  session: "GET, HEAD, POST",
  signin: "GET, HEAD, POST",
  signout: "GET, HEAD, POST",
  callback: "POST",
  _log: "POST",
};

/** Includes the address in which next-auth's own client looks for the message to show. */
async function awayResponse(fault: AppError, requestId: string): Promise<Response> {
  const answer = errorResponse(fault, requestId);
  const url = new URL("/sign-in", env().APP_URL);
  url.searchParams.set("error", fault.message);
  const body = { ...((await answer.json()) as object), url: url.href };
  return Response.json(body, { status: answer.status, headers: answer.headers });
}

async function handle(request: NextRequest, route: Route): Promise<Response> {
  const [action = ""] = (await route.params).nextauth;
  const allow = methods[action];
  if (allow !== undefined && !allow.split(", ").includes(request.method)) {
    return refuseOtherMethods(allow)(request);
  }
  const requestId = requestIdOf(request);
  let fault: AppError | undefined;
  try {
    const body =
      request.method === "POST"
        ? await readStrangersBody(request, undefined, signInBodyLimit)
        : null;
    // next-auth reads a body whole, whatever its size: it gets one that was measured as it arrived.
    const { url, method, headers } = request;
    const counted = body
      ? new NextRequest(url, { method, headers, body: new Uint8Array(body) })
      : request;
    let pendingToken: string | undefined;
    const options = signInOptions({
      failed: (thrown) => (fault = thrown),
      pending: (token) => (pendingToken = token),
    });
    const response = (await NextAuth(counted, route, options)) as Response;
    if (pendingToken !== undefined)
      response.headers.append("set-cookie", pendingCookie.set(pendingToken));
    // Whatever went wrong, next-auth calls it a wrong password.
    return fault?.code === "UNAVAILABLE" ? awayResponse(fault, requestId) : response;
  } catch (thrown) {
    return errorResponse(toAppError(thrown, requestId), requestId);
  }
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
