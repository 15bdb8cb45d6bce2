import { z } from "zod";
import { database } from "@/db/client";
import { originOf } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { acceptedLanguages } from "@/lib/ground/texts/texts";
import { requestIdOf } from "@/lib/doors/http/surface/request-record";
import { log } from "@/lib/ground/log";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { tellOfNewPassword } from "@/lib/domain/users/change-password";
import { mailLink } from "@/lib/domain/users/link-mails";
import { requireOwnWays } from "@/lib/domain/users/own-ways";
import { resetPassword } from "@/lib/domain/users/passwords";
import { newPassword, userEmail } from "@/lib/domain/users/schema";
import { validate } from "@/lib/ground/validate";
import { clientAddress } from "@/lib/doors/http/surface/client-address";
import { parseJson, readStrangersBody, signInBodyLimit } from "@/lib/doors/http/surface/body";
import { errorResponse } from "@/lib/doors/http/surface/errors";
import { isSameOrigin } from "@/lib/doors/http/surface/same-origin";
import { throttleLinks } from "./throttles";

const linkRequest = z.object({
  email: userEmail,
  purpose: z.enum(["login", "password_reset"]),
});
const passwordRequest = z.object({
  token: z.string().max(200),
  purpose: z.enum(["password_reset", "invitation"]),
  password: newPassword,
});

/** Handles a JSON write from our own pages; refuses those from other origins. */
export async function handleOwnWrite(
  request: Request,
  handler: (
    body: unknown,
    requestId: string,
  ) => Promise<{ status: number; body: unknown; headers?: HeadersInit }>,
): Promise<Response> {
  const requestId = requestIdOf(request);
  try {
    if (!isSameOrigin(request)) {
      throw new AppError("NOT_ALLOWED", "Only the dashboard's own pages may call this.");
    }
    const answer = await handler(
      parseJson(await readStrangersBody(request, undefined, signInBodyLimit)),
      requestId,
    );
    const { status, headers = {} } = answer;
    return Response.json(answer.body, { status, headers });
  } catch (thrown) {
    return errorResponse(toAppError(thrown, requestId), requestId);
  }
}

/** `POST /api/auth/links {email, purpose}`: mails a link. 202 whether or not the user exists. */
export function requestLink(request: Request): Promise<Response> {
  return handleOwnWrite(request, async (body, requestId) => {
    const input = validate(linkRequest, body);
    const db = database();
    const address = clientAddress(request);
    await throttleLinks(db, address, input.email);
    requireOwnWays(input.email);
    // Not awaited: how long it takes would reveal whether the address is known.
    const languages = acceptedLanguages(request.headers.get("accept-language"));
    mailLink(
      db,
      { ...input, languages },
      { ...originOf(address, request.headers), requestId },
    ).catch((error: unknown) => {
      log.error(
        { name: error instanceof Error ? error.name : "unknown" },
        "a sign-in link could not be mailed",
      );
    });
    return { status: 202, body: { success: true } };
  });
}

/** `POST /api/auth/password {token, purpose, password}`: sets a password with a one-time link. */
export function setPasswordByLink(request: Request): Promise<Response> {
  return handleOwnWrite(request, async (body, requestId) => {
    const input = validate(passwordRequest, body);
    const db = database();
    const address = clientAddress(request);
    await throttleLinks(db, address);
    const origin = originOf(address, request.headers);
    const user = await resetPassword(db, { ...input, origin, requestId });
    // Who had no account until then knows of it.
    if (input.purpose === "password_reset") {
      const languages = acceptedLanguages(request.headers.get("accept-language"));
      await tellOfNewPassword(db, user, languages);
    }
    return { status: 200, body: { email: user.email } };
  });
}
