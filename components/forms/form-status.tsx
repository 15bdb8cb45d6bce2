import { CircleCheck, CircleOff } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { Form } from "@/lib/domain/forms/schema";
import { t } from "@/lib/ground/texts/t";

/** Whether a form takes sign-ups. */
export function FormStatus({ form: { open } }: { form: Pick<Form, "open"> }) {
  return open ? (
    <Status tone="success" icon={CircleCheck}>
      {t("Open")}
    </Status>
  ) : (
    <Status tone="neutral" icon={CircleOff}>
      {t("Closed")}
    </Status>
  );
}
