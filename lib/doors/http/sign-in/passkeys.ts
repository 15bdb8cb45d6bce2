import { z } from "zod";
import { database } from "@/db/client";
import { challengeLifeSeconds } from "@/lib/domain/users/passkey-challenges";
import { passkeySigned } from "@/lib/domain/users/passkey-schema";
import { beginPasskeySignIn, signInByPasskey } from "@/lib/domain/users/passkey-sign-in";
import type { SignInOrigin, StartedSession } from "@/lib/domain/users/sign-in";
import { clientAddress } from "@/lib/doors/http/surface/client-address";
import { randomBase62 } from "@/lib/ground/secrets";
import { handleOwnWrite } from "./account";
import { ownCookie } from "./own-cookie";
import { throttlePasskeyQuestions, throttleSignIn } from "./throttles";

/** Binds what passkeys are asked to sign to the browser that was told it. */
const holderCookie = ownCookie("passkey", challengeLifeSeconds);

/** `POST /api/auth/passkeys`: what the browser needs to ask for a passkey. Each answer can be used once. */
export function askForPasskey(request: Request): Promise<Response> {
  return handleOwnWrite(request, async () => {
    const db = database();
    await throttlePasskeyQuestions(db, clientAddress(request));
    // One for all tabs: a second one must not end what the first was told.
    const kept = holderCookie.read(request.headers.get("cookie"));
    const holder = /^[0-9A-Za-z]{43}$/.test(kept) ? kept : randomBase62(43);
    const options = await beginPasskeySignIn(db, holder);
    return { status: 200, body: options, headers: { "set-cookie": holderCookie.set(holder) } };
  });
}

const input = z.object({
  response: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue("is not JSON");
        return z.NEVER;
      }
    })
    .pipe(passkeySigned),
});

/** Signs in with what a passkey has signed; null for anything else. */
export async function byPasskey(
  typed: unknown,
  cookies: unknown,
  origin: SignInOrigin,
): Promise<StartedSession | null> {
  const parsed = input.safeParse(typed);
  if (!parsed.success) return null;
  const { response: signed } = parsed.data;
  const db = database();
  await throttleSignIn(db, origin.address, `passkey:${signed.id}`);
  return signInByPasskey(db, { holder: holderCookie.read(cookies), signed }, origin);
}
