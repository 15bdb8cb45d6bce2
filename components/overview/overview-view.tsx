"use client";

import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { GoalList } from "@/lib/domain/goals/schema";
import type { Overview } from "@/lib/domain/overview/schema";
import { t } from "@/lib/ground/texts/t";
import { WhatNeedsYou } from "./attention";
import { ByProvider } from "./by-provider";
import { CurrentCampaigns } from "./current-campaigns";
import { Figures } from "./figures";
import { Goals } from "./goals";
import { SetUp } from "./set-up";
import type { SetUpView } from "./set-up-view";
import { Volume } from "./volume";

/** The overview below its title; starts with what the server read, then keeps itself up to date. */
export function OverviewView({
  initial,
  goals,
  sending,
  paused,
  setUpView,
}: {
  initial: Overview;
  goals: GoalList;
  sending: ApiAnswer<"GET /v1/campaigns">;
  paused: ApiAnswer<"GET /v1/campaigns">;
  /** How the reader left the checklist. */
  setUpView: SetUpView;
}) {
  const reading = useRead(
    "GET /v1/overview",
    { query: { range: initial.range } },
    { initial, every: 15_000 },
  );
  const overview = reading.data;
  return (
    <div className="flex flex-col gap-9 *:mt-0">
      <NotUpToDate of={reading} title={t("These figures are out of date")} />
      {!overview.setUp.realSend && <SetUp setUp={overview.setUp} view={setUpView} />}
      <WhatNeedsYou overview={overview} />
      <Figures overview={overview} />
      <Goals initial={goals} />
      <CurrentCampaigns sending={sending} paused={paused} />
      <Volume overview={overview} />
      <ByProvider />
    </div>
  );
}
