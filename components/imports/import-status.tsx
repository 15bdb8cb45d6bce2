import { CircleCheck, CircleX, Clock, LoaderCircle } from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import type { ContactImport } from "@/lib/domain/imports/schema";

const looks: Record<ContactImport["status"], { tone: Tone; icon: typeof Clock; word: string }> = {
  STAGING: { tone: "info", icon: Clock, word: "Reading" },
  PENDING: { tone: "info", icon: Clock, word: "Waiting" },
  RUNNING: { tone: "info", icon: LoaderCircle, word: "Running" },
  COMPLETED: { tone: "success", icon: CircleCheck, word: "Done" },
  FAILED: { tone: "danger", icon: CircleX, word: "Stopped" },
};

/** Whether it is still going on. */
export function isRunning({ status }: Pick<ContactImport, "status">): boolean {
  return status === "STAGING" || status === "PENDING" || status === "RUNNING";
}

export function ImportStatus({ status }: Pick<ContactImport, "status">) {
  const { tone, icon, word } = looks[status];
  return (
    <Status tone={tone} icon={icon}>
      {word}
    </Status>
  );
}
