"use client";

import clsx from "clsx";
import {
  CheckCheck,
  CircleX,
  Clock,
  Inbox,
  MailOpen,
  MailX,
  MousePointerClick,
  Send,
  ShieldX,
  ThumbsDown,
  UserMinus,
  type LucideIcon,
} from "lucide-react";
import { useState, type ReactNode } from "react";
import { programOf } from "@/components/settings/device";
import { Button } from "@/components/ui/button";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import type { EmailEventName } from "@/db/enums";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { eventTitle, hostText } from "./event-titles";
import { suppressionText } from "./failure-sentence";
import { bounceText, nextTryOf, replyOf } from "./outcome-sentence";

type Event = EmailRecord["events"][number];

const looks: Record<EmailEventName, { icon: LucideIcon; mark: string }> = {
  queued: { icon: Inbox, mark: "text-soft" },
  sent: { icon: Send, mark: "text-info" },
  deferred: { icon: Clock, mark: "text-warning" },
  delivered: { icon: CheckCheck, mark: "text-success" },
  opened: { icon: MailOpen, mark: "text-success" },
  clicked: { icon: MousePointerClick, mark: "text-success" },
  bounced: { icon: MailX, mark: "text-danger" },
  complained: { icon: ThumbsDown, mark: "text-danger" },
  failed: { icon: CircleX, mark: "text-warning" },
  suppressed: { icon: ShieldX, mark: "text-warning" },
  unsubscribed: { icon: UserMinus, mark: "text-warning" },
};

const shownAtFirst = 40;
/** Shown in words of their own, or of no use to a reader. */
const shownInWords = new Set([
  "code",
  "enhancedCode",
  "response",
  "reason",
  "reasonCode",
  "stage",
  "attempt",
  "attempts",
  "retryAfterSeconds",
  "type",
  "url",
  "machine",
  "cause",
  "reportedBy",
  "via",
  "host",
  "ip",
  "userAgent",
]);

/** Everything that happened to an email, oldest first. */
export function EmailTimeline({ events }: { events: EmailRecord["events"] }) {
  const [all, setAll] = useState(false);
  const shown = all ? events : events.slice(0, shownAtFirst);
  return (
    <>
      <ol>
        {shown.map((event, index) => (
          <Entry key={index} event={event} final={index === events.length - 1} />
        ))}
      </ol>
      {shown.length < events.length && (
        <Button size="sm" onClick={() => setAll(true)}>
          {t("Show all {count} events", { count: events.length })}
        </Button>
      )}
    </>
  );
}

function Entry({ event, final }: { event: Event; final: boolean }) {
  const { icon: Icon, mark } = looks[event.name];
  return (
    <li className="relative flex gap-3.5 pb-5 last:pb-0">
      {!final && <span className="absolute top-8 bottom-0 left-[0.9375rem] w-px bg-rule-strong" />}
      <span
        className={clsx(
          "flex size-8 shrink-0 items-center justify-center rounded-full border bg-sheet",
          mark,
        )}
      >
        <Icon className="size-4" aria-hidden />
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="flex items-center gap-2 text-sm font-medium">
            {eventTitle(event)}
            {event.data["machine"] === true && <Badge>{t("automatic")}</Badge>}
          </span>
          <span className="text-xs text-faint">
            <ExactTime value={event.createdAt} />
          </span>
        </div>
        <Details event={event} final={final} />
      </div>
    </li>
  );
}

function Details({ event, final }: { event: Event; final: boolean }) {
  const { name, data } = event;
  const reply = replyOf(event);
  const { reason, url } = data;
  const lines: ReactNode[] = [];
  if (name === "suppressed") lines.push(suppressionText(event));
  else if (typeof reason === "string") lines.push(reason);
  if (name === "bounced") lines.push(bounceText(event));
  const host = hostText(event);
  if (host) lines.push(host);
  if (typeof data["reportedBy"] === "string") {
    lines.push(t("Reported by {server}.", { server: data["reportedBy"] }));
  }
  const next = final ? nextTryOf(event) : null;
  const attempt = data["attempt"];
  if (typeof attempt === "number") {
    lines.push(
      next
        ? rich("Attempt {attempt}, next {time}.", { attempt, time: <RelativeTime value={next} /> })
        : t("Attempt {attempt}.", { attempt }),
    );
  }
  const rest = Object.entries(data).filter(
    ([key, value]) =>
      !shownInWords.has(key) && ["string", "number", "boolean"].includes(typeof value),
  );
  return (
    <>
      {lines.map((line, index) => (
        <p key={index} className="mt-0.5 text-sm wrap-anywhere text-soft">
          {line}
        </p>
      ))}
      {reply && <ServerWords text={reply} />}
      {typeof url === "string" && (
        <p className="mt-1 font-mono text-xs wrap-anywhere text-soft">{url}</p>
      )}
      <Reader data={data} />
      {rest.length > 0 && (
        <p className="mt-1 text-xs wrap-anywhere text-faint">
          {rest.map(([key, value]) => `${key}: ${String(value)}`).join(" · ")}
        </p>
      )}
    </>
  );
}

/** Who opened or clicked: the program, which is said in full on hover, and the address. */
function Reader({ data: { ip, userAgent } }: { data: Event["data"] }) {
  const program = typeof userAgent === "string" ? userAgent : "";
  const words = [programOf(program), typeof ip === "string" ? ip : ""].filter(Boolean);
  if (words.length === 0) return null;
  return (
    <p className="mt-1 text-xs wrap-anywhere text-faint" title={program || undefined}>
      {words.join(" · ")}
    </p>
  );
}

/** What a mail server said, as it said it. */
export function ServerWords({ text }: { text: string }) {
  return (
    <p className="mt-1.5 border-l-2 border-rule-strong pl-2.5 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap text-soft">
      {text}
    </p>
  );
}
