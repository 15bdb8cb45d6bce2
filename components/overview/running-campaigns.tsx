"use client";

import Link from "next/link";
import { useRead } from "@/components/api/use-read";
import { count } from "@/components/ui/numbers";
import { useProjectPath } from "@/components/api/project-context";
import { Section } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { runningCampaigns } from "@/lib/domain/overview/schema";

/** The campaigns being sent now, with how far each has come. Nothing while there are none. */
export function RunningCampaigns({ initial }: { initial: ApiAnswer<"GET /v1/campaigns"> }) {
  const path = useProjectPath();
  const { data } = useRead(
    "GET /v1/campaigns",
    { query: runningCampaigns },
    { initial, every: (page) => (page?.data.length ? 3_000 : 15_000) },
  );
  if (data.data.length === 0) return null;
  return (
    <div>
      <Section title="Sending now">
        <ul>
          {data.data.map(({ id: campaign, name, stats: { recipients, pending } }) => (
            <li
              key={campaign}
              className="relative grid items-center gap-x-6 gap-y-2 border-b py-3 last:border-b-0 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_14rem_10rem]"
            >
              <Link
                href={path(`campaigns/${campaign}`)}
                className="truncate text-sm font-medium after:absolute after:inset-0"
              >
                {name}
              </Link>
              <Progress
                label={`${name}: progress`}
                value={recipients === 0 ? null : (recipients - pending) / recipients}
              />
              <span className="text-sm text-soft sm:text-right">
                {recipients === 0
                  ? "selecting its recipients"
                  : `${count(recipients - pending)} of ${count(recipients)}`}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
