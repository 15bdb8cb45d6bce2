import NextAuth from "next-auth/next";
import { NextRequest } from "next/server";
import { signInOptions } from "@/lib/doors/http/sign-in/sign-in";
import { readBody, signInBodyLimit } from "@/lib/doors/http/surface/body";
import { errorEnvelope, httpStatuses } from "@/lib/doors/http/surface/errors";
import { newRequestId } from "@/lib/ground/ids/request-id";
import { toAppError } from "@/lib/ground/unforeseen-errors";

export const dynamic = "force-dynamic";

interface Route {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, route: Route): Promise<Response> {
  return (await NextAuth(request, route, signInOptions())) as Response;
}

/** next-auth reads a body whole, whatever its size: it gets one that was counted while it came. */
async function handleWrite(request: NextRequest, route: Route): Promise<Response> {
  let body: Buffer;
  try {
    body = await readBody(request, undefined, signInBodyLimit);
  } catch (thrown) {
    const requestId = newRequestId();
    const error = toAppError(thrown, requestId);
    return Response.json(errorEnvelope(error, requestId), { status: httpStatuses[error.code] });
  }
  const { url, method, headers } = request;
  return handle(new NextRequest(url, { method, headers, body: new Uint8Array(body) }), route);
}

export { handle as GET, handleWrite as POST };
