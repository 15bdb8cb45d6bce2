import type { Connection } from "@/lib/domain/connections/schema";
import { listFormat } from "@/lib/ground/texts/formats";
import { t } from "@/lib/ground/texts/t";

const inWords = (names: readonly string[]) => listFormat().format(names);

/** Why a connection cannot be deleted yet; null: nothing speaks against it. */
export function whyKept({ domains }: Connection): string | null {
  if (domains.length === 0) return null;
  return t(
    "{count, plural, one {{domains} sends through it. Choose another connection for that domain first.} other {{domains} send through it. Choose another connection for those domains first.}}",
    { count: domains.length, domains: inWords(domains.map(({ name }) => name)) },
  );
}

/** What is forgotten with a connection; null: it has no secret. */
function forgotten(connection: Connection): string | null {
  switch (connection.kind) {
    case "smtp":
      return connection.user === null ? null : t("Its password is forgotten.");
    case "mx":
      return null;
    case "ses":
      return t("Its access key is forgotten.");
    default:
      return t("Its API key is forgotten.");
  }
}

/** What deleting a connection means; `others`: the project's other ones. */
export function deleteWords(connection: Connection, others: readonly Connection[]): string {
  const left = others
    .filter(({ fallbackId }) => fallbackId === connection.id)
    .map(({ name }) => name);
  return [
    connection.standard
      ? t(
          "Mail of domains that name no connection, and what waits for this one, leaves through this installation’s server instead.",
        )
      : t("No domain sends through it."),
    left.length > 0
      ? t(
          "{count, plural, one {{connections} loses its fallback.} other {{connections} lose their fallback.}}",
          { count: left.length, connections: inWords(left) },
        )
      : null,
    forgotten(connection),
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}
