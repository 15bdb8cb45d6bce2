import { providers } from "@/components/connections/connection-kinds";
import type { SendingState } from "@/lib/domain/sending-state/schema";
import { t } from "@/lib/ground/texts/t";

/** A provider and where it is; empty for the ways without one. */
function providerOf({ kind, region }: SendingState["way"]): string {
  if (kind === "capture" || kind === "mx" || kind === "smtp") return "";
  const { name: provider } = providers[kind];
  if (region === null || region === "us") return provider;
  return region === "eu"
    ? t("{provider} in the EU", { provider })
    : t("{provider} in {region}", { provider, region });
}

/** Where the project's mail goes, as a sentence; `connection`: the name of its standard connection, if it has one. */
export function wayWords(way: SendingState["way"], connection: string | null): string {
  const { kind } = way;
  const provider = providerOf(way);
  return connection === null
    ? t(
        "Mail goes to {kind, select, capture {the captured mailbox, and nowhere else} mx {the receivers’ own servers} smtp {a mail server} other {{provider}}}, unless its domain names a connection.",
        { kind, provider },
      )
    : t(
        "Mail goes to {kind, select, capture {the captured mailbox, and nowhere else} mx {the receivers’ own servers} smtp {a mail server} other {{provider}}}, through the connection {connection}, unless its domain names a connection.",
        { kind, provider, connection },
      );
}
