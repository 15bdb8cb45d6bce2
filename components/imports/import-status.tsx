import { CircleCheck, CircleX, Clock, LoaderCircle } from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import type { ContactImport } from "@/lib/domain/imports/schema";
import { phrases } from "@/lib/ground/texts/t";

const looks: Record<ContactImport["status"], { tone: Tone; icon: typeof Clock }> = {
  STAGING: { tone: "info", icon: Clock },
  PENDING: { tone: "info", icon: Clock },
  RUNNING: { tone: "info", icon: LoaderCircle },
  COMPLETED: { tone: "success", icon: CircleCheck },
  FAILED: { tone: "danger", icon: CircleX },
};

const words: Record<ContactImport["status"], string> = phrases({
  STAGING: "Reading",
  PENDING: "Waiting",
  RUNNING: "Running",
  COMPLETED: "Done",
  FAILED: "Stopped",
});

/** Whether it is still going on. */
export function isRunning({ status }: Pick<ContactImport, "status">): boolean {
  return status === "STAGING" || status === "PENDING" || status === "RUNNING";
}

export function ImportStatus({ status }: Pick<ContactImport, "status">) {
  return <Status {...looks[status]}>{words[status]}</Status>;
}
