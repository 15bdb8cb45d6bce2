import { isIP } from "node:net";
import type { ConnectionSettings } from "@/db/schema/connections";
import { env } from "@/lib/ground/env/env";
import { invalid } from "@/lib/ground/errors";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { isPublicAddress } from "@/lib/ground/net/addresses/public";

/** Sessions, or requests, at once. */
export const usualSessions = 5;

/** Ports that take mail for sending. With any other, the installation could be used to scan ports. */
const mailPorts = [25, 465, 587, 2465, 2525, 2587];

type SmtpSetting = "host" | "port" | "tls" | "user" | "sessions";

/** Complete settings of the kind `smtp`. */
export type SmtpSettings = Required<Pick<ConnectionSettings, SmtpSetting>>;

/** Settings as somebody gives them: what is absent or undefined stays as it is, or usual. */
export type ChosenSettings = {
  [Key in keyof ConnectionSettings]: ConnectionSettings[Key] | undefined;
};

/** `chosen` over `before`, and over the usual settings where there were none. */
export function completeSmtp(chosen: ChosenSettings, before?: ChosenSettings): SmtpSettings {
  const user = (chosen.user === undefined ? before?.user : chosen.user) || null;
  const port = chosen.port ?? before?.port ?? 587;
  const usual = port === 465 ? "implicit" : user === null ? "opportunistic" : "required";
  return {
    host: chosen.host ?? before?.host ?? "",
    port,
    tls: chosen.tls ?? before?.tls ?? usual,
    user,
    sessions: chosen.sessions ?? before?.sessions ?? usualSessions,
  };
}

/**
 * Refuses anything that is clearly not a public mail server, and a password sent in clear text. Names are checked again when
 * a session is opened, since what they resolve to can change. Throws VALIDATION_ERROR.
 */
export function checkSmtp({ host, port, tls, user }: SmtpSettings): void {
  const clear = tls === "off" || tls === "opportunistic";
  if (user !== null && clear && !isLoopback(host)) {
    throw invalid("tls", "must be implicit or required: a password is not sent in clear text");
  }
  if (env().ALLOW_PRIVATE_ADDRESSES) return;
  if (!mailPorts.includes(port)) throw invalid("port", `is not one of ${mailPorts.join(", ")}`);
  const isPrivate =
    isIP(host) === 0
      ? !host.includes(".") || /(^|\.)(localhost|local|internal)\.?$/.test(host)
      : !isPublicAddress(host);
  if (isPrivate) throw invalid("host", "must be a public address");
}

/** Whether `after` would send the secret of `before` somewhere else. */
export function leadsElsewhere(before: SmtpSettings, after: SmtpSettings): boolean {
  return before.host !== after.host || before.port !== after.port || before.tls !== after.tls;
}
