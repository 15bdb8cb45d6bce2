import type { Connection } from "@/lib/domain/connections/schema";

const inWords = new Intl.ListFormat("en");
const verb = (names: readonly string[], one: string, many: string) =>
  names.length === 1 ? one : many;

/** What deleting a connection means, or why that must wait; `others`: the project's other ones. */
export function deleteWords(
  { id, kind, domains, standard }: Connection,
  others: readonly Connection[],
): string {
  const users = domains.map(({ name }) => name);
  if (users.length > 0) {
    const send = verb(users, "sends", "send");
    return `${inWords.format(users)} ${send} through it, so it cannot be deleted yet. Choose another connection for ${verb(users, "that domain", "those domains")} first.`;
  }
  const left = others.filter(({ fallbackId }) => fallbackId === id).map(({ name }) => name);
  return [
    standard
      ? "Mail of domains that name no connection, and what waits for this one, leaves through this installation’s server instead."
      : "No domain sends through it.",
    left.length > 0
      ? `${inWords.format(left)} ${verb(left, "loses its", "lose their")} fallback.`
      : null,
    kind === "mx" ? null : "The password is forgotten.",
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}
