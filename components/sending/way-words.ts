import { providers } from "@/components/connections/connection-kinds";
import type { SendingState } from "@/lib/domain/sending-state/schema";

function placeOf({ kind, region }: SendingState["way"]): string {
  if (kind === "capture") return "the captured mailbox, and nowhere else";
  if (kind === "mx") return "the receivers’ own servers";
  if (kind === "smtp") return "a mail server";
  const { label } = providers[kind];
  return region === null || region === "us"
    ? label
    : `${label} in ${region.replace(/^eu$/, "the EU")}`;
}

/** Where the project's mail goes, as a sentence; `connection`: the name of its standard connection, if it has one. */
export function wayWords(way: SendingState["way"], connection: string | null): string {
  const by = connection === null ? "" : `, through the connection ${connection}`;
  return `Mail goes to ${placeOf(way)}${by}, unless its domain names a connection.`;
}
