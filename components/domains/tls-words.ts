import type { Dmarc } from "@/lib/domain/domain-reports/schema";
import { t } from "@/lib/ground/texts/t";

/** How many sessions were encrypted, by the reports of those who sent mail. */
export function tlsWords({ reports, successful, failed }: Dmarc["tls"]): string {
  const sessions = successful + failed;
  if (sessions === 0) {
    return t(
      "According to {reports, plural, one {# report} other {# reports}}, nobody has tried to send mail here.",
      { reports },
    );
  }
  if (failed === 0) {
    return t(
      "According to {reports, plural, one {# report} other {# reports}}, {sessions, plural, one {the only session was} other {all # sessions were}} encrypted as your policy asks.",
      { reports, sessions },
    );
  }
  return t(
    "According to {reports, plural, one {# report} other {# reports}}, {failed, number} of {sessions, plural, one {# session} other {# sessions}} {failed, plural, one {was} other {were}} not encrypted as your policy asks.",
    { reports, failed, sessions },
  );
}
