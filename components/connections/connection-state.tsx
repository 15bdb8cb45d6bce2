import { CircleAlert, CircleCheck, CircleX, Hourglass } from "lucide-react";
import { RelativeTime } from "@/components/ui/relative-time";
import { Status } from "@/components/ui/status";
import type { Connection } from "@/lib/domain/connections/schema";
import { rich } from "@/components/ui/rich";
import { stateWords, troubleWords } from "./trouble-words";

const looks = {
  working: { tone: "success", icon: CircleCheck },
  throttled: { tone: "warning", icon: Hourglass },
  unreachable: { tone: "danger", icon: CircleAlert },
  refused: { tone: "danger", icon: CircleX },
} as const;

/** Whether a connection takes mail; if not, since when, and what its server says. */
export function ConnectionState({ connection }: { connection: Connection }) {
  const { name, since, words } = connection.state;
  return (
    <div>
      <Status {...looks[name]}>{stateWords(connection)}</Status>
      {since && (
        <p className="mt-1 max-w-2xl text-sm text-soft">
          {rich("Since {when}.", { when: <RelativeTime value={since} /> })}{" "}
          {troubleWords(connection)}
        </p>
      )}
      {words && <p className="mt-1 font-mono text-xs wrap-anywhere">{words}</p>}
    </div>
  );
}
