"use client";

import {
  ArrowUpRight,
  CircleCheck,
  CircleDashed,
  Ellipsis,
  Pencil,
  Target,
  Trash2,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button, IconButton } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Section } from "@/components/ui/page-header";
import { Progress, type ProgressTone } from "@/components/ui/progress";
import { Status, type Tone } from "@/components/ui/status";
import { toast } from "@/components/ui/toast";
import type { Goal, GoalList } from "@/lib/domain/goals/schema";
import { mostGoals } from "@/lib/domain/goals/terms";
import { t } from "@/lib/ground/texts/t";
import { behindGoal, goalName, progressParts, standingWords } from "./goal-words";

const AddGoal = deferredDialog(() => import("./goal-form").then((module) => module.AddGoal));
const ChangeGoal = deferredDialog(() => import("./goal-form").then((module) => module.ChangeGoal));

const looks: Record<Goal["standing"], { tone: Tone; bar: ProgressTone; icon: LucideIcon }> = {
  reached: { tone: "success", bar: "success", icon: CircleCheck },
  within: { tone: "success", bar: "success", icon: CircleCheck },
  onPace: { tone: "info", bar: "accent", icon: ArrowUpRight },
  behind: { tone: "warning", bar: "warning", icon: TriangleAlert },
  exceeded: { tone: "warning", bar: "warning", icon: TriangleAlert },
  nothing: { tone: "neutral", bar: "accent", icon: CircleDashed },
};

/** What the project wants to reach and how far it is. A reader who may not set goals sees nothing while there are none. */
export function Goals({ initial }: { initial: GoalList }) {
  const may = useMay("editor");
  const reading = useRead("GET /v1/overview/goals", {}, { initial, every: 60_000 });
  const [adding, setAdding] = useState(false);
  useLoaded(AddGoal, may);
  const goals = reading.data.data;
  if (goals.length === 0 && !may) return null;
  const add = (
    <Button size="sm" onClick={() => setAdding(true)}>
      <Target aria-hidden /> {t("Set a goal")}
    </Button>
  );
  return (
    <div>
      <NotUpToDate of={reading} title={t("Goals are out of date")} />
      {goals.length === 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-y border-dashed py-3">
          <p className="text-sm text-soft">
            {t(
              "No goals yet. Say what you want to reach this week, month or quarter, and see here how far you are.",
            )}
          </p>
          {add}
        </div>
      ) : (
        <Section
          title={t("Goals")}
          description={t("Weeks begin on Monday, and days are UTC days.")}
          actions={may && goals.length < mostGoals && add}
        >
          <ul aria-label={t("Goals")} className="border-t">
            {goals.map((goal) => (
              <GoalRow key={goal.id} goal={goal} may={may} />
            ))}
          </ul>
        </Section>
      )}
      {adding && <AddGoal goals={goals} onClose={() => setAdding(false)} />}
    </div>
  );
}

function GoalRow({ goal, may }: { goal: Goal; may: boolean }) {
  const path = useProjectPath();
  const { target, reached, expected, standing } = goal;
  const { tone, bar, icon } = looks[standing];
  const name = goalName(goal);
  return (
    <li className="relative flex items-center gap-x-4 border-b py-3 hover:bg-hover">
      <div className="grid min-w-0 flex-1 items-center gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,1fr)_9rem_minmax(8rem,16rem)]">
        <div className="min-w-0">
          <Link
            href={path(behindGoal(goal))}
            title={t("Show which")}
            className="text-sm font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          <p className="text-sm text-soft">{progressParts(goal).join(" · ")}</p>
        </div>
        <span>
          <Status tone={tone} icon={icon}>
            {standingWords(goal)}
          </Status>
        </span>
        <Progress
          label={t("{name}: progress", { name })}
          value={(reached ?? 0) / target}
          tone={bar}
          mark={expected === null || standing === "reached" ? null : expected / target}
        />
      </div>
      {may && <GoalMenu goal={goal} />}
    </li>
  );
}

/** What can be done with a goal. */
function GoalMenu({ goal }: { goal: Goal }) {
  const api = useApi();
  const [changing, setChanging] = useState(false);
  useLoaded(ChangeGoal);
  const { figure, period, target } = goal;
  const name = goalName(goal);
  const restore = useAction({
    mutationFn: () => api("POST /v1/overview/goals", { body: { figure, period, target } }),
    leaves: true,
    onError: (error) => toast.error(t("It was not set again"), { description: messageOf(error) }),
  });
  const remove = useAction({
    mutationFn: () => api("DELETE /v1/overview/goals/{id}", { params: { id: goal.id } }),
    leaves: true,
    onSuccess: () =>
      toast.success(t("Goal “{name}” deleted", { name }), {
        action: { label: t("Undo"), run: () => restore.mutate() },
      }),
    onError: (error) => toast.error(t("Nothing was deleted"), { description: messageOf(error) }),
  });
  return (
    <div className="relative print:hidden">
      <Menu
        trigger={
          <IconButton label={t("Change or delete the goal {name}", { name })} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={() => setChanging(true)}>
          <Pencil aria-hidden /> {t("Change")}
        </MenuItem>
        <MenuItem danger onClick={() => remove.mutate()}>
          <Trash2 aria-hidden /> {t("Delete")}
        </MenuItem>
      </Menu>
      {changing && <ChangeGoal goal={goal} onClose={() => setChanging(false)} />}
    </div>
  );
}
