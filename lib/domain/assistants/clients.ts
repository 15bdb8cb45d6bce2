import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Executor } from "@/db/client";
import { oauthClients } from "@/db/schema";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { OAuthFault } from "./fault";
import { isRedirectUri, redirectHost } from "./redirect-uris";

const mostRedirectUris = 10;
const longestName = 60;

/** The part of a client's metadata that we read; the rest is ignored, as RFC 7591 (section 2) prescribes. */
const clientMetadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(mostRedirectUris),
  client_name: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

/** A program that may ask people for their consent. */
export interface OAuthClient {
  /** uuid */
  id: string;
  name: string;
  redirectUris: string[];
  createdAt: Date;
}

/** Control and format characters are removed, since they could disguise text on the consent page. */
function shownName(name: string | undefined, redirectUri: string): string {
  const plain = (name ?? "").replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return [...(plain || redirectHost(redirectUri))].slice(0, longestName).join("");
}

/** Registers a client. Throws OAuthFault: invalid_redirect_uri, invalid_client_metadata. */
export async function registerClient(db: Executor, metadata: unknown): Promise<OAuthClient> {
  const parsed = clientMetadata.safeParse(metadata);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") || "the metadata";
    const code =
      issue?.path[0] === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
    throw new OAuthFault(code, `${field}: ${issue?.message ?? "is not valid"}`);
  }
  const { redirect_uris, client_name, grant_types, response_types } = parsed.data;
  const refused = redirect_uris.find((uri) => !isRedirectUri(uri));
  if (refused !== undefined) {
    throw new OAuthFault(
      "invalid_redirect_uri",
      "redirect_uris takes https addresses, http addresses on localhost, and a program's own scheme; no fragments.",
    );
  }
  if (grant_types?.includes("authorization_code") === false) {
    throw new OAuthFault("invalid_client_metadata", "grant_types has to hold authorization_code.");
  }
  if (response_types?.includes("code") === false) {
    throw new OAuthFault("invalid_client_metadata", "response_types has to hold code.");
  }
  const [client] = await db
    .insert(oauthClients)
    .values({
      name: shownName(client_name, redirect_uris[0] ?? ""),
      redirectUris: redirect_uris,
    })
    .returning();
  if (!client) throw new Error("An insert returned no row.");
  return client;
}

/** The client with this wire id, or null. */
export async function findClient(db: Executor, id: string): Promise<OAuthClient | null> {
  const uuid = decodeId("oauthClient", id);
  if (!uuid) return null;
  const [client] = await db.select().from(oauthClients).where(eq(oauthClients.id, uuid));
  return client ?? null;
}

export const clientIdOf = (client: Pick<OAuthClient, "id">) => encodeId("oauthClient", client.id);
