"use client";

import { useQuery } from "@tanstack/react-query";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useProject } from "@/components/api/project-context";
import { Callout } from "@/components/ui/callout";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Overview } from "@/lib/domain/overview/schema";
import { Figures } from "./figures";
import { RunningCampaigns } from "./running-campaigns";
import { SetUp } from "./set-up";
import { Volume } from "./volume";

/** The overview below its title; starts with what the server read, then keeps itself up to date. */
export function OverviewView({
  initial,
  running,
}: {
  initial: Overview;
  running: ApiAnswer<"GET /v1/campaigns">;
}) {
  const { id } = useProject();
  const api = useApi();
  const query = useQuery({
    queryKey: ["overview", id, initial.range],
    queryFn: ({ signal }) =>
      api("GET /v1/overview", { query: { range: initial.range } }, { signal }),
    initialData: initial,
    refetchInterval: 15_000,
  });
  const overview = query.data;
  return (
    <div className="flex flex-col gap-9">
      {query.isError && (
        <Callout kind="warning" alert title="These figures are not up to date">
          {messageOf(query.error)} They are asked for again every few seconds.
        </Callout>
      )}
      {!overview.setUp.realSend && <SetUp setUp={overview.setUp} />}
      <Figures {...overview} />
      <RunningCampaigns initial={running} />
      <Volume overview={overview} />
    </div>
  );
}
