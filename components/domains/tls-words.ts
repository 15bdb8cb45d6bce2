import { count, counted } from "@/components/ui/numbers";
import type { Dmarc } from "@/lib/domain/domain-reports/schema";

/** How many sessions were encrypted, by the reports of those who sent mail. */
export function tlsWords({ reports, successful, failed }: Dmarc["tls"]): string {
  const by = `According to ${counted(reports, "report")}`;
  const sessions = successful + failed;
  if (sessions === 0) return `${by}, nobody has tried to send mail here.`;
  if (failed === 0) return `${by}, ${all(sessions)} encrypted as your policy asks.`;
  return `${by}, ${count(failed)} of ${counted(sessions, "session")} ${failed === 1 ? "was" : "were"} not encrypted as your policy asks.`;
}

const all = (sessions: number) =>
  sessions === 1 ? "the only session was" : `all ${counted(sessions, "session")} were`;
