"use client";

import { Sunset } from "lucide-react";
import { useRouter } from "next/navigation";
import { messageOf } from "@/components/api/faults";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { people, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import { sunsetEmails } from "@/lib/domain/engagement/terms";
import { t } from "@/lib/ground/texts/t";

const months = (days: number) => Math.round(days / 30.4);

/** People who have read nothing for months, and a button to a segment of them; nothing if none. */
export function SunsetCard() {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const may = useMay("editor");
  const suggestions = useRead("GET /v1/segments/sunset", {}, { retry: false });
  const create = useAction({
    leaves: true,
    mutationFn: (days: number) =>
      api("POST /v1/segments", {
        body: {
          name: t("Inactive for {months, plural, one {# month} other {# months}}", {
            months: months(days),
          }),
          filter: {
            and: [
              { field: "subscribed", op: "eq", value: true },
              { field: "inactiveDays", op: "gt", value: days },
              { field: "ignoredEmails", op: "gt", value: sunsetEmails - 1 },
            ],
          },
        },
      }),
    onSuccess: (segment) => {
      toast.success(t("{name} was created", { name: segment.name }));
      router.push(path(`segments/${segment.id}`));
    },
    onError: (error) =>
      toast.error(t("The segment was not created"), { description: messageOf(error) }),
  });
  const { data: reached = [], subscribed = 0 } = suggestions.data ?? {};
  const steps = reached.filter(({ count }) => count > 0);
  if (steps.length === 0) return null;
  return (
    <Section
      title={t("People who stopped reading")}
      description={t(
        "Subscribed, opened and clicked nothing for months, and left at least {sunsetEmails} emails of the last 180 days unread. Ask them whether they want to stay, then let them go: mailbox providers judge you by how many read what you send.",
        { sunsetEmails },
      )}
    >
      <ul className="divide-y border-y">
        {steps.map(({ days, count }) => (
          <li
            key={days}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3"
          >
            <p className="text-sm">
              <Sunset aria-hidden className="mr-2 inline size-4 align-text-bottom text-faint" />
              <span className="font-medium">{people(count)}</span>{" "}
              <span className="text-soft">
                {t("for more than {months} months, {percent} of everybody you reach", {
                  months: months(days),
                  percent: percent(count / Math.max(1, subscribed)),
                })}
              </span>
            </p>
            {may && (
              <Button
                size="sm"
                pending={create.isPending && create.variables === days}
                onClick={() => create.mutate(days)}
              >
                {t("Create segment")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
