import { t } from "@/lib/ground/texts/t";
import type { Dmarc } from "./schema";

/** What sessions of one kind failed of, and at which server; null: the report does not name it. */
type Failure = Pick<Dmarc["tls"]["failures"][number], "type" | "receivingHost">;

interface Whose {
  /** The domain that the report is about. */
  domain: string;
  /** The host that takes mail at this installation. */
  ownHost: string;
}

const isCertificateFault = (type: string) => type.startsWith("certificate-");

/** By the result types of RFC 8460, section 4.3. */
const adviceByType: Record<string, (domain: string) => string> = {
  "starttls-not-supported": () =>
    t(
      "The mail server offers no encryption. Switch STARTTLS on there, and check that no firewall removes it.",
    ),
  "certificate-host-mismatch": () =>
    t("The certificate is for another name. Have one issued for the name in the MX record."),
  "certificate-expired": () =>
    t("The certificate has expired. Renew it, and have it renewed automatically from now on."),
  "certificate-not-trusted": () =>
    t(
      "Senders do not trust the certificate. Use one from a public authority, and serve its intermediate certificates with it.",
    ),
  "validation-failure": () =>
    t(
      "The encrypted session failed for a reason that the report does not name. Check that the server offers TLS 1.2 or newer.",
    ),
  "tlsa-invalid": () =>
    t(
      "The TLSA record does not match the certificate. Publish one for the certificate in use, and the next one before the certificate changes.",
    ),
  "dnssec-invalid": () =>
    t(
      "The DNSSEC signatures of the server's name cannot be validated. Have whoever runs its name servers renew them.",
    ),
  "dane-required": () =>
    t(
      "The sender asks for DANE and found no TLSA record that DNSSEC proves. Publish one, or ask the sender not to ask for it.",
    ),
  "sts-policy-fetch-error": (domain) =>
    t(
      "The MTA-STS policy could not be fetched. Serve it at https://mta-sts.{domain}/.well-known/mta-sts.txt, without a redirect.",
      { domain },
    ),
  "sts-policy-invalid": () =>
    t("The MTA-STS policy cannot be read. Check its version, mode, mx and max_age lines."),
  "sts-webpki-invalid": (domain) =>
    t(
      "The certificate of https://mta-sts.{domain} is not valid, so its policy was not used. Renew it, or have one issued for that name.",
      { domain },
    ),
};

const unexplained = () =>
  t("The report does not say why. Look for these sessions in the mail server's own log.");

/** What a domain's owner may do about failed sessions. */
export function tlsAdviceOf({ type, receivingHost }: Failure, { domain, ownHost }: Whose): string {
  const ofType = Object.hasOwn(adviceByType, type) ? adviceByType[type] : undefined;
  const advice = ofType?.(domain) ?? unexplained();
  return isCertificateFault(type) && receivingHost === ownHost
    ? t(
        "{advice} That server is this installation: whoever runs it names the certificate with SMTP_RELAY_TLS_CERT and SMTP_RELAY_TLS_KEY.",
        { advice },
      )
    : advice;
}
