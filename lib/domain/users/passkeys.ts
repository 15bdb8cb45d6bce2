import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from "@simplewebauthn/server";
import { and, asc, eq } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { passkeys, users } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import {
  findPasskeySite,
  makeChallenge,
  takeChallenge,
  type PasskeySite,
} from "./passkey-challenges";
import type { Passkey, PasskeyList, PasskeyMade } from "./passkey-schema";
import { askingPerson, recordOwnAct, withFreshProof } from "./prove";
import type { FreshProof } from "./schema";
import { getUser } from "./users";

const mostPasskeys = 20;
/** ES256, EdDSA and RS256 (COSE): every authenticator has one of them. */
const algorithms = [-7, -8, -257];

/** What a passkey calls its user: the bytes of their uuid. */
export const userHandleOf = (userId: string) => Buffer.from(userId.replaceAll("-", ""), "hex");

/** Only the session that began adding a passkey may end it. */
const holderOf = (ctx: Context) => `session:${ctx.session?.id ?? ""}`;

function resourceOf(row: typeof passkeys.$inferSelect): Passkey {
  return {
    id: encodeId("passkey", row.id),
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

/** The actor's own passkeys, the oldest first. Throws NOT_ALLOWED for keys. */
export async function listPasskeys(ctx: Context): Promise<PasskeyList> {
  const rows = await ctx.db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, askingPerson(ctx)))
    .orderBy(asc(passkeys.id));
  return { available: findPasskeySite() !== null, data: rows.map(resourceOf) };
}

function passkeySite(): PasskeySite {
  const site = findPasskeySite();
  if (site) return site;
  throw new AppError(
    "CONFLICT",
    "Passkeys need a host name and https: APP_URL has to have both, or be http://localhost.",
  );
}

/** The ids of the actor's passkeys; nobody else adds one meanwhile. Throws CONFLICT when there are too many. */
async function lockedCredentials(tx: Transaction, userId: string) {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
  const credentials = await tx
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));
  if (credentials.length < mostPasskeys) return credentials;
  throw new AppError("CONFLICT", `You have ${mostPasskeys} passkeys: remove one first.`);
}

/**
 * What the browser needs to make a passkey for the actor, within five minutes and in this session. Throws
 * VALIDATION_ERROR for a wrong password or code, CONFLICT where passkeys cannot be made.
 */
export async function beginPasskey(
  ctx: Context,
  proof: FreshProof,
): Promise<{ options: Record<string, unknown> }> {
  const userId = askingPerson(ctx);
  const { host } = passkeySite();
  const { email, name } = await getUser(ctx.db, userId);
  return withFreshProof(
    ctx,
    proof,
    (tx) => lockedCredentials(tx, userId),
    async (tx, excludeCredentials) => {
      const options = await generateRegistrationOptions({
        rpName: "Lettermill",
        rpID: host,
        userID: new Uint8Array(userHandleOf(userId)),
        userName: email,
        userDisplayName: name || email,
        challenge: await makeChallenge(tx, holderOf(ctx)),
        excludeCredentials,
        // The sign-in page asks for no address, and no code afterwards.
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        supportedAlgorithmIDs: algorithms,
      });
      return { options: { ...options } };
    },
  );
}

/** The credential that the browser made for this challenge; null for any other statement. */
async function verifiedCredential(
  made: PasskeyMade,
  expectedChallenge: string,
  { host, origin }: PasskeySite,
): Promise<WebAuthnCredential | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    return verified ? registrationInfo.credential : null;
  } catch {
    // The library throws for whatever is wrong with a response.
    return null;
  }
}

/**
 * Keeps a passkey that the browser has made. Throws VALIDATION_ERROR for one that was not made for this site and
 * challenge, CONFLICT when that took too long, was not begun here, or the passkey is known.
 */
export async function addPasskey(
  ctx: Context,
  input: { name: string; response: PasskeyMade },
): Promise<Passkey> {
  const userId = askingPerson(ctx);
  const { clientDataJSON, transports = [] } = input.response.response;
  const challenge = await takeChallenge(ctx.db, holderOf(ctx), clientDataJSON);
  if (challenge === null) {
    throw new AppError("CONFLICT", "This took too long, or was begun elsewhere: begin again.");
  }
  const credential = await verifiedCredential(input.response, challenge, passkeySite());
  if (!credential) throw invalid("response", "is not of a passkey made for this site");
  return ctx.db.transaction(async (tx) => {
    await lockedCredentials(tx, userId);
    const [added] = await tx
      .insert(passkeys)
      .values({
        userId,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports,
        name: input.name,
      })
      .onConflictDoNothing()
      .returning();
    if (!added) throw new AppError("CONFLICT", "This passkey has been added already.");
    await recordOwnAct(tx, ctx, "create.passkey", { name: added.name });
    return resourceOf(added);
  });
}

/** The condition for one of the actor's passkeys. Throws NOT_FOUND for what is no id of a passkey. */
function ownPasskey(ctx: Context, id: string) {
  const uuid = decodeId("passkey", id);
  if (!uuid) throw notFound();
  return and(eq(passkeys.id, uuid), eq(passkeys.userId, askingPerson(ctx)));
}

/** Throws NOT_FOUND for passkeys of other people. */
export function renamePasskey(
  ctx: Context,
  id: string,
  { name }: { name: string },
): Promise<Passkey> {
  const own = ownPasskey(ctx, id);
  return ctx.db.transaction(async (tx) => {
    const [renamed] = await tx.update(passkeys).set({ name }).where(own).returning();
    if (!renamed) throw notFound();
    await recordOwnAct(tx, ctx, "update.passkey", { name });
    return resourceOf(renamed);
  });
}

/**
 * Removes a passkey; sessions that it started go on. Throws NOT_FOUND for passkeys of other people,
 * VALIDATION_ERROR for a wrong password or code.
 */
export function removePasskey(ctx: Context, id: string, proof: FreshProof): Promise<void> {
  const own = ownPasskey(ctx, id);
  const lock = async (tx: Transaction) => {
    const [row] = await tx.select({ id: passkeys.id }).from(passkeys).where(own).for("update");
    if (!row) throw notFound();
  };
  return withFreshProof(ctx, proof, lock, async (tx) => {
    const [removed] = await tx.delete(passkeys).where(own).returning({ name: passkeys.name });
    await recordOwnAct(tx, ctx, "delete.passkey", { name: removed?.name });
  });
}
