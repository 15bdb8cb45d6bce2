import { CircleAlert, CircleCheck, CircleX, Hourglass } from "lucide-react";
import { count } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { Status } from "@/components/ui/status";
import type { Connection } from "@/lib/domain/connections/schema";

const looks = {
  working: { tone: "success", icon: CircleCheck, words: "No trouble seen" },
  throttled: { tone: "warning", icon: Hourglass, words: "Asked for less mail" },
  unreachable: { tone: "danger", icon: CircleAlert, words: "Not reachable" },
  refused: { tone: "danger", icon: CircleX, words: "Refuses the login" },
} as const;

/** Whether a connection takes mail; if not, since when, and what its server says. */
export function ConnectionState({ connection }: { connection: Connection }) {
  const { name, since, words, perMinute } = connection.state;
  const { words: label, ...look } = looks[name];
  return (
    <div>
      <Status {...look}>{label}</Status>
      {since && (
        <p className="mt-1 text-sm text-soft">
          Since <RelativeTime value={since} />.{" "}
          {perMinute === null
            ? connection.fallbackId === null
              ? "Its mail waits and leaves when it works again."
              : "Its mail leaves through the fallback meanwhile."
            : `It is given about ${count(perMinute)} emails a minute.`}
        </p>
      )}
      {words && <p className="mt-1 font-mono text-xs wrap-anywhere">{words}</p>}
    </div>
  );
}
