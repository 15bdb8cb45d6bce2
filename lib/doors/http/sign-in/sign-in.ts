import type { AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { database } from "@/db/client";
import { originOf } from "@/lib/ground/context";
import type { AppError } from "@/lib/ground/errors";
import { requestIdOf } from "@/lib/doors/http/surface/request-record";
import { newRequestId } from "@/lib/ground/ids/request-id";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import {
  decodeSessionToken,
  endSession,
  sessionCookieName,
  sessionLifeSeconds,
} from "@/lib/domain/users/sessions";
import { codeIsNeeded, typedCode } from "@/lib/domain/users/schema";
import {
  signInByCode,
  signInByLink,
  signInByPassword,
  type PendingSignIn,
  type SignInOrigin,
  type StartedSession,
} from "@/lib/domain/users/sign-in";
import { clientAddress } from "@/lib/doors/http/surface/client-address";
import { pendingCookie } from "./own-cookie";
import { byPasskey } from "./passkeys";
import { sessionClaims, sessionCookieOptions } from "./session-cookie";
import { throttleLinkUse, throttleSignIn } from "./throttles";

const passwordInput = z.object({ email: z.string().max(320), password: z.string().max(1000) });
const linkInput = z.object({
  token: z.string().max(200),
  purpose: z.enum(["login", "invitation"]).default("login"),
});
const codeInput = z.object({ code: typedCode });

function signInOrigin(headers: Headers): SignInOrigin {
  const text = (name: string) => {
    const value = headers?.[name];
    return typeof value === "string" ? value : "";
  };
  const request = new Request("http://sign-in", {
    headers: {
      "x-forwarded-for": text("x-forwarded-for"),
      "user-agent": text("user-agent"),
      "x-request-id": text("x-request-id"),
    },
  });
  return { ...originOf(clientAddress(request), request.headers), requestId: requestIdOf(request) };
}

/** What next-auth hands to the jwt callback. */
interface Authorized {
  id: string;
  sessionId: string;
}

/** What a sign-in tells the route besides what next-auth answers. */
export interface SignInNews {
  /** What kept somebody from signing in, other than a wrong credential. */
  failed: (error: AppError) => void;
  /** The first factor was right, and the second one is asked for. */
  pending: (token: string) => void;
}

type Headers = Record<string, unknown> | undefined;
type Outcome = StartedSession | PendingSignIn | null;

/** next-auth passes an Error's message on to the page: it must be one of ours, never a driver's. */
async function authorize(
  news: SignInNews,
  headers: Headers,
  signIn: (origin: SignInOrigin) => Promise<Outcome>,
): Promise<Authorized | null> {
  const origin = signInOrigin(headers);
  const outcome = await signIn(origin).catch((error: unknown) => {
    const appError = toAppError(error, origin.requestId);
    news.failed(appError);
    throw new Error(appError.message);
  });
  if (outcome && "pendingToken" in outcome) {
    news.pending(outcome.pendingToken);
    throw new Error(codeIsNeeded);
  }
  return outcome && { id: outcome.user.id, sessionId: outcome.sessionId };
}

async function byPassword(input: unknown, origin: SignInOrigin): Promise<Outcome> {
  const parsed = passwordInput.safeParse(input);
  if (!parsed.success) return null;
  await throttleSignIn(database(), origin.address, parsed.data.email);
  return signInByPassword(database(), parsed.data, origin);
}

async function byLink(input: unknown, origin: SignInOrigin): Promise<Outcome> {
  const parsed = linkInput.safeParse(input);
  if (!parsed.success) return null;
  await throttleLinkUse(database(), origin.address);
  return signInByLink(database(), parsed.data, origin);
}

async function byCode(input: unknown, headers: Headers, origin: SignInOrigin): Promise<Outcome> {
  const parsed = codeInput.safeParse(input);
  if (!parsed.success) return null;
  const { code } = parsed.data;
  return signInByCode(
    database(),
    { pendingToken: pendingCookie.read(headers?.["cookie"]), code },
    origin,
  );
}

/**
 * next-auth's options. The cookie is a JWT that names a row of `sessions`: without the row it opens nothing.
 */
export function signInOptions(news: SignInNews): AuthOptions {
  const { APP_URL, APP_SECRET } = env();
  // next-auth takes its own address only from this variable.
  process.env["NEXTAUTH_URL"] = APP_URL;
  return {
    secret: APP_SECRET,
    useSecureCookies: APP_URL.startsWith("https:"),
    session: { strategy: "jwt", maxAge: sessionLifeSeconds },
    jwt: { decode: ({ token }) => decodeSessionToken(token) },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: sessionCookieOptions(),
      },
    },
    providers: [
      CredentialsProvider({
        id: "password",
        credentials: {},
        authorize: (input, request) =>
          authorize(news, request.headers, (origin) => byPassword(input, origin)),
      }),
      CredentialsProvider({
        id: "link",
        credentials: {},
        authorize: (input, request) =>
          authorize(news, request.headers, (origin) => byLink(input, origin)),
      }),
      CredentialsProvider({
        id: "code",
        credentials: {},
        authorize: (input, request) =>
          authorize(news, request.headers, (origin) => byCode(input, request.headers, origin)),
      }),
      CredentialsProvider({
        id: "passkey",
        credentials: {},
        authorize: (input, request) =>
          authorize(news, request.headers, (origin) =>
            byPasskey(input, request.headers?.["cookie"], origin),
          ),
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        const authorized = user as Authorized | undefined;
        return authorized ? sessionClaims(authorized.id, authorized.sessionId) : token;
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token["sid"] !== "string") return;
        try {
          await endSession(database(), token["sid"]);
        } catch (error) {
          // Otherwise next-auth clears the cookie and calls it done, while the session lives on.
          news.failed(toAppError(error, newRequestId()));
        }
      },
    },
    logger: {
      error: (code) => log.warn({ code }, "next-auth"),
      warn: () => {},
      debug: () => {},
    },
  };
}
