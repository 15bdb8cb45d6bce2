import type { SesFault } from "@/db/schema/ses-identities";
import { completeSettings } from "@/lib/domain/connections/settings";
import type { SesAccount } from "@/lib/ground/aws/ses-requests";
import { unsealOrNull } from "@/lib/ground/secrets";
import { SesFaultError, type SigningKey } from "@/lib/mail/providers/ses-identities";
import type { ClaimedIdentity } from "./ses-claim";
import { installationAccount } from "./ses-ways";

/** What is noted where the account's secret is unreadable. */
export const unreadableKey: SesFault = {
  kind: "denied",
  words:
    "The secret of this access key cannot be read: it was stored under another APP_SECRET, or damaged. Enter it again.",
};

/**
 * Whoever's account it is; null: there is no key for it any longer. unreadable: its secret was stored under another
 * APP_SECRET, or damaged.
 */
export function accountOf({ row, connection }: ClaimedIdentity): SesAccount | "unreadable" | null {
  if (row.connectionId === null) {
    const account = installationAccount();
    return account && { ...account, region: row.region };
  }
  if (!connection) return null;
  const settings = completeSettings(connection.kind, connection.settings);
  if (settings.kind !== "ses") return null;
  const secret = unsealOrNull(connection.secretSealed);
  if (secret === null) return "unreadable";
  return { region: row.region, key: { id: settings.accessKeyId, secret } };
}

export const keyIdOf = ({ key }: SesAccount) => key?.id ?? "machine";

/** What signs for the domain. Throws SesFaultError when it cannot be read: others of the account go on. */
export function signingKeyOf({
  selector,
  dkimPrivateKeySealed,
}: NonNullable<ClaimedIdentity["domain"]>): SigningKey {
  const privateKey = unsealOrNull(dkimPrivateKeySealed);
  if (privateKey !== null) return { selector, privateKey };
  throw new SesFaultError({
    kind: "refused",
    words:
      "The domain's DKIM key cannot be read: it was stored under another APP_SECRET, or damaged. Delete the domain and add it again.",
  });
}
