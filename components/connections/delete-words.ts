import type { Connection } from "@/lib/domain/connections/schema";

const inWords = new Intl.ListFormat("en");
const verb = (names: readonly string[], one: string, many: string) =>
  names.length === 1 ? one : many;

/** Why a connection cannot be deleted yet; null: nothing speaks against it. */
export function whyKept({ domains }: Connection): string | null {
  if (domains.length === 0) return null;
  const users = domains.map(({ name }) => name);
  const send = verb(users, "sends", "send");
  return `${inWords.format(users)} ${send} through it. Choose another connection for ${verb(users, "that domain", "those domains")} first.`;
}

/** What is forgotten with a connection; null: it has no secret. */
function forgotten(connection: Connection): string | null {
  switch (connection.kind) {
    case "smtp":
      return connection.user === null ? null : "Its password is forgotten.";
    case "mx":
      return null;
    case "ses":
      return "Its access key is forgotten.";
    default:
      return "Its API key is forgotten.";
  }
}

/** What deleting a connection means; `others`: the project's other ones. */
export function deleteWords(connection: Connection, others: readonly Connection[]): string {
  const left = others
    .filter(({ fallbackId }) => fallbackId === connection.id)
    .map(({ name }) => name);
  return [
    connection.standard
      ? "Mail of domains that name no connection, and what waits for this one, leaves through this installation’s server instead."
      : "No domain sends through it.",
    left.length > 0
      ? `${inWords.format(left)} ${verb(left, "loses its", "lose their")} fallback.`
      : null,
    forgotten(connection),
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}
