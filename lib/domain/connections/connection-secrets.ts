import type { ConnectionKind } from "@/db/enums";
import { env } from "@/lib/ground/env/env";
import { invalid } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { webhookSecretFault, webhookUser } from "@/lib/ground/providers/webhook-secrets";
import { randomBase62, seal, unsealOrNull } from "@/lib/ground/secrets";
import type { ConnectionUpdate } from "./schema";
import type { CompleteSettings } from "./settings";
import { leadsElsewhere } from "./smtp-settings";

interface SealedSecrets {
  secretSealed: string;
  webhookSecretSealed: string | null;
}
type Secrets = Pick<
  ConnectionUpdate,
  "name" | "password" | "apiKey" | "secretAccessKey" | "webhookSecret"
>;

/** The secrets of a new connection, sealed. Throws VALIDATION_ERROR. */
export function newSecrets(settings: CompleteSettings, input: Secrets): SealedSecrets {
  const { kind } = settings;
  if (kind === "smtp") {
    const { password = "" } = input;
    if (settings.user !== null && password === "") throw invalid("password", "is required");
    return { secretSealed: seal(password), webhookSecretSealed: null };
  }
  if (kind === "mx") return { secretSealed: seal(""), webhookSecretSealed: null };
  return {
    secretSealed: seal(input.apiKey ?? input.secretAccessKey ?? ""),
    webhookSecretSealed:
      kind === "postmark"
        ? seal(randomBase62(32))
        : (changedWebhookSecret(kind, input).webhookSecretSealed ?? null),
  };
}

/** The secrets that an update changes, sealed. Throws VALIDATION_ERROR: no password goes to a new place unseen. */
export function changedSecrets(
  before: CompleteSettings,
  after: CompleteSettings,
  input: Secrets,
): Partial<SealedSecrets> {
  if (before.kind !== "smtp" || after.kind !== "smtp") {
    const key = input.apiKey ?? input.secretAccessKey;
    if (after.kind === "ses" && before.kind === "ses" && key === undefined) {
      if (after.accessKeyId !== before.accessKeyId) {
        throw invalid("secretAccessKey", "is required: another key has another secret");
      }
    }
    return {
      ...(key === undefined ? {} : { secretSealed: seal(key) }),
      ...changedWebhookSecret(after.kind, input),
    };
  }
  const { password } = input;
  const needed = after.user !== null && (before.user === null || leadsElsewhere(before, after));
  if (needed && !password) {
    throw invalid("password", "is to be given again: the password goes to another place");
  }
  const forgotten = after.user === null && before.user !== null;
  const secret = password ?? (forgotten ? "" : undefined);
  return secret === undefined ? {} : { secretSealed: seal(secret) };
}

function changedWebhookSecret(
  kind: ConnectionKind,
  { webhookSecret }: Secrets,
): Partial<Pick<SealedSecrets, "webhookSecretSealed">> {
  if (webhookSecret === undefined) return {};
  const fault = webhookSecretFault(kind, webhookSecret);
  if (fault !== null) throw invalid("webhookSecret", fault);
  return { webhookSecretSealed: seal(webhookSecret) };
}

/**
 * Where a connection's (uuid) provider is to send its events; for Postmark with what proves them, null when that cannot
 * be read.
 */
export function webhookUrlOf(
  { id, kind }: { id: string; kind: ConnectionKind },
  webhookSecretSealed: string | null,
): string | null {
  const url = new URL(`/hooks/connections/${encodeId("connection", id)}`, env().APP_URL);
  if (kind === "postmark" && webhookSecretSealed !== null) {
    const password = unsealOrNull(webhookSecretSealed);
    if (password === null) return null;
    Object.assign(url, { username: webhookUser, password });
  }
  return url.href;
}
