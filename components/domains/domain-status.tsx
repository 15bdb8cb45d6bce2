import { CircleAlert, CircleCheck, CircleDashed, CircleX, Clock } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { Domain, DomainRecord } from "@/lib/domain/sending-domains/schema";
import { phrases, t } from "@/lib/ground/texts/t";

/** A domain's status in words for somebody who is waiting for it. */
export function DomainStatus({ domain }: { domain: Pick<Domain, "status" | "checkedAt"> }) {
  if (domain.status === "VERIFIED") {
    return (
      <Status tone="success" icon={CircleCheck}>
        {t("Verified")}
      </Status>
    );
  }
  if (domain.status === "FAILED") {
    return (
      <Status tone="danger" icon={CircleX}>
        {t("Not verified")}
      </Status>
    );
  }
  return domain.checkedAt ? (
    <Status tone="info" icon={Clock}>
      {t("Waiting for DNS")}
    </Status>
  ) : (
    <Status tone="neutral" icon={CircleDashed}>
      {t("Not checked yet")}
    </Status>
  );
}

const problemWords = phrases({
  missing: "Missing",
  different: "Different",
  several: "More than one",
  unreachable: "No answer",
});

/** What the last check found for one record. */
export function RecordStatus({ record }: { record: Omit<DomainRecord, "purpose"> }) {
  if (record.problem) {
    const severe = record.required && record.status === "FAILED";
    return (
      <Status tone={severe ? "danger" : "warning"} icon={severe ? CircleX : CircleAlert}>
        {problemWords[record.problem.kind]}
      </Status>
    );
  }
  return record.status === "VERIFIED" ? (
    <Status tone="success" icon={CircleCheck}>
      {t("Found")}
    </Status>
  ) : (
    <Status tone="neutral" icon={CircleDashed}>
      {t("Not checked yet")}
    </Status>
  );
}
