"use client";

import { usePathname } from "next/navigation";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { SendingState } from "@/lib/domain/sending-state/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { waitingWords } from "./waiting-words";

/** The one thing that people should know first; null: mail leaves. */
function headline({ hold, mailServer, senders }: SendingState): string | null {
  if (hold?.reason === "restored") {
    return t("Mail is held: the database was restored from a backup.");
  }
  if (hold) return t("Mail is held by the operator of this installation.");
  if (mailServer?.state === "unavailable") return t("The mail server takes no mail.");
  const [sender] = senders;
  return sender ? t("The mail server refuses mail from {name}.", { name: sender.name }) : null;
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
          {waitingWords(data.waiting)}{" "}
          {rich("Nothing is lost. <link>See what can be done</link>", {
            link: (words) => (
              <Link href={page} className="underline hover:text-accent-ink">
                {words}
              </Link>
            ),
          })}
        </p>
      </Callout>
    </div>
  );
}
