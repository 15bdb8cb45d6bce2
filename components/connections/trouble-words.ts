import type { Connection } from "@/lib/domain/connections/schema";
import { t } from "@/lib/ground/texts/t";

/** What a connection's server accepts nobody by. */
function loginOf({ kind }: Connection): "login" | "accessKey" | "apiKey" {
  switch (kind) {
    case "smtp":
    case "mx":
      return "login";
    case "ses":
      return "accessKey";
    default:
      return "apiKey";
  }
}

/** The state of a connection in a few words. */
export function stateWords(connection: Connection): string {
  switch (connection.state.name) {
    case "working":
      return t("No trouble seen");
    case "throttled":
      return t("Asked for less mail");
    case "unreachable":
      return t("Not reachable");
    case "refused":
      return t(
        "Refuses the {login, select, accessKey {access key} apiKey {API key} other {login}}",
        { login: loginOf(connection) },
      );
  }
}

/** What becomes of the mail of a connection in trouble; null: it is in none. */
export function troubleWords(connection: Connection): string | null {
  const { state, fallbackId } = connection;
  const rest = fallbackId === null ? "waits" : "leaves";
  switch (state.name) {
    case "working":
      return null;
    case "throttled":
      return state.perMinute === null
        ? t(
            "It is given less mail, and more as soon as it accepts that; the rest {rest, select, leaves {leaves through the fallback} other {waits}}.",
            { rest },
          )
        : t(
            "It is given about {perMinute, plural, one {# email} other {# emails}} a minute, and more as soon as it accepts that; the rest {rest, select, leaves {leaves through the fallback} other {waits}}.",
            { perMinute: state.perMinute, rest },
          );
    case "unreachable":
      return t(
        "It is tried again at least once a minute. Its mail {rest, select, leaves {leaves through the fallback} other {waits}} until it answers.",
        { rest },
      );
    case "refused":
      return t(
        "Its mail {rest, select, leaves {leaves through the fallback} other {waits}} until the {login, select, accessKey {access key} apiKey {API key} other {login}} is corrected.",
        { rest, login: loginOf(connection) },
      );
  }
}
