"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { Callout } from "@/components/ui/callout";
import type { SendingState } from "@/lib/domain/sending-state/schema";
import { waitingWords } from "./waiting-words";

/** The one thing that people should know first; null: mail leaves. */
function headline({ hold, mailServer, senders }: SendingState): string | null {
  if (hold?.reason === "restored") {
    return "Mail is held: the database was restored from a backup.";
  }
  if (hold) return "Mail is held by the operator of this installation.";
  if (mailServer?.state === "unavailable") return "The mail server takes no mail.";
  const [sender] = senders;
  return sender ? `The mail server refuses mail from ${sender.name}.` : null;
}

/** Shown above every page while the project's mail cannot leave. */
export function SendingNotice({ initial }: { initial: SendingState }) {
  const path = useProjectPath();
  const pathname = usePathname();
  const { data } = useRead("GET /v1/sending", {}, { initial, every: 30_000 });
  const title = headline(data);
  const page = path("sending");
  if (title === null || pathname === page) return null;
  return (
    <div className="mb-6">
      <Callout kind={data.hold ? "danger" : "warning"} title={title}>
        <p>
          {waitingWords(data.waiting)} Nothing is lost.{" "}
          <Link href={page} className="underline hover:text-accent-ink">
            See what can be done
          </Link>
        </p>
      </Callout>
    </div>
  );
}
