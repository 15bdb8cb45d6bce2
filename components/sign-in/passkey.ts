import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
  WebAuthnError,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { t } from "@/lib/ground/texts/t";
import { post } from "./post";
import { signInAndGo, type SignInTarget } from "./sign-in";

/** Before what the browser was given to sign expires, which is after five minutes. */
const renewMilliseconds = 4 * 60_000;

/** Has the browser ask for a passkey, and signs in with it. Resolves to the sentence to show if that fails. */
async function withPasskey(to: SignInTarget, useBrowserAutofill: boolean): Promise<string | null> {
  const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>("/api/auth/passkeys", {});
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill });
  const refusal = t("This passkey is not known here. Sign in another way.");
  return signInAndGo("passkey", { response: JSON.stringify(response) }, { to, refusal });
}

/** Signs in with a passkey that the browser asks for now. Resolves to the sentence to show if that fails. */
export async function signInByPasskey(to: SignInTarget): Promise<string | null> {
  try {
    return await withPasskey(to, false);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isBrowsers = error instanceof WebAuthnError || error.name === "NotAllowedError";
    return isBrowsers
      ? t("No passkey was used. Try again, or sign in another way.")
      : error.message;
  }
}

/**
 * Has the browser offer passkeys among the addresses it fills in, where it can, until the returned function is
 * called. `onFault` gets the sentence to show when one that was chosen is refused.
 */
export function offerPasskeys(to: SignInTarget, onFault: (sentence: string) => void): () => void {
  let ended = false;
  const offer = async () => {
    if (ended || !(await browserSupportsWebAuthnAutofill())) return;
    // A renewed offer ends the one before it, as a press of the button does: neither is a fault.
    const problem = await withPasskey(to, true).catch(() => null);
    if (problem === null || ended) return;
    onFault(problem);
    void offer();
  };
  void offer();
  const renewing = setInterval(() => void offer(), renewMilliseconds);
  return () => {
    ended = true;
    clearInterval(renewing);
    WebAuthnAbortService.cancelCeremony();
  };
}
