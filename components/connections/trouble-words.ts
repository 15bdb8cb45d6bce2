import { counted } from "@/components/ui/numbers";
import type { Connection } from "@/lib/domain/connections/schema";

/** What a connection's server accepts nobody by. */
function loginOf({ kind }: Connection): string {
  switch (kind) {
    case "smtp":
    case "mx":
      return "login";
    case "ses":
      return "access key";
    default:
      return "API key";
  }
}

/** The state of a connection in a few words. */
export function stateWords(connection: Connection): string {
  switch (connection.state.name) {
    case "working":
      return "No trouble seen";
    case "throttled":
      return "Asked for less mail";
    case "unreachable":
      return "Not reachable";
    case "refused":
      return `Refuses the ${loginOf(connection)}`;
  }
}

/** What becomes of the mail of a connection in trouble; null: it is in none. */
export function troubleWords(connection: Connection): string | null {
  const { state, fallbackId } = connection;
  const rest = fallbackId === null ? "waits" : "leaves through the fallback";
  switch (state.name) {
    case "working":
      return null;
    case "throttled": {
      const share =
        state.perMinute === null
          ? "It is given less mail"
          : `It is given about ${counted(state.perMinute, "email")} a minute`;
      return `${share}, and more as soon as it accepts that; the rest ${rest}.`;
    }
    case "unreachable":
      return `It is tried again at least once a minute. Its mail ${rest} until it answers.`;
    case "refused":
      return `Its mail ${rest} until the ${loginOf(connection)} is corrected.`;
  }
}
