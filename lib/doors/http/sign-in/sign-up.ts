import { z } from "zod";
import { database } from "@/db/client";
import { projectName } from "@/lib/domain/projects/schema";
import {
  findSignUp,
  finishSignUp,
  requestSignUp,
  requireOpenSignUp,
} from "@/lib/domain/projects/sign-up";
import { requireOwnWays } from "@/lib/domain/users/own-ways";
import { newPassword, userEmail } from "@/lib/domain/users/schema";
import { clientAddress } from "@/lib/doors/http/surface/client-address";
import { originOf } from "@/lib/ground/context";
import { log } from "@/lib/ground/log";
import { acceptedLanguages } from "@/lib/ground/texts/texts";
import { validate } from "@/lib/ground/validate";
import { handleOwnWrite } from "./account";
import { throttleLinks } from "./throttles";

const signUpRequest = z.object({ email: userEmail });
const signUpEnd = z.object({
  token: z.string().max(1000),
  name: projectName,
  password: newPassword,
});

/** `POST /api/auth/sign-up {email}`: mails a link. 202 whether or not there is an account. */
export function askToSignUp(request: Request): Promise<Response> {
  return handleOwnWrite(request, async (body) => {
    const { email } = validate(signUpRequest, body);
    requireOpenSignUp();
    const db = database();
    await throttleLinks(db, clientAddress(request), email);
    requireOwnWays(email);
    const languages = acceptedLanguages(request.headers.get("accept-language"));
    // Not awaited: how long it takes would reveal whether the address is known.
    requestSignUp(db, { email, languages }).catch((error: unknown) => {
      log.error(
        { name: error instanceof Error ? error.name : "unknown" },
        "a link to sign up could not be mailed",
      );
    });
    return { status: 202, body: { success: true } };
  });
}

/** `POST /api/auth/sign-up/finish {token, name, password}`: makes the account and its first project. */
export function endSignUp(request: Request): Promise<Response> {
  return handleOwnWrite(request, async (body, requestId) => {
    const input = validate(signUpEnd, body);
    const db = database();
    const address = clientAddress(request);
    await throttleLinks(db, address);
    const origin = { ...originOf(address, request.headers), requestId };
    return { status: 201, body: await finishSignUp(db, input, origin) };
  });
}

/** Whom a link makes an account for; null when it does not work. Changes nothing. */
export const findSignUpLink = (token: string): Promise<string | null> =>
  findSignUp(database(), token);
