"use client";

import clsx from "clsx";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { people } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { HeaderCell, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { AbTestResult, VariantResult } from "@/lib/domain/ab-tests/schema";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { VariantRow } from "./variant-row";

/** An A/B test: how its variants are doing, what is decided when, and the button to decide now. */
export function AbTestResults({
  campaign,
  result,
}: {
  campaign: CampaignProgress;
  result: AbTestResult;
}) {
  const may = useMay("editor");
  const [chosen, setChosen] = useState<VariantResult | null>(null);
  const { phase, variants, winner } = result;
  const byOpens = result.winnerMetric === "opens";
  const waiting = campaign.stats.recipients - result.testRecipients;
  // With everybody in the test, nobody is left to choose a winner for.
  const isLeft = waiting > 0 || !campaign.audienceComplete;
  const isOpen = isLeft && winner === null && (phase === "testing" || phase === "awaiting_winner");
  return (
    <Section
      title={t("A/B test")}
      description={<Standing result={result} isPaused={campaign.status === "PAUSED"} />}
    >
      <Table label={t("A/B test")}>
        <TableHead>
          <HeaderCell>{t("Variant")}</HeaderCell>
          <HeaderCell className="text-right! max-sm:hidden">{t("Sent")}</HeaderCell>
          <HeaderCell className="text-right! max-sm:hidden">{t("Delivered")}</HeaderCell>
          <HeaderCell className={clsx("text-right!", !byOpens && "max-sm:hidden")}>
            {t("Opened")}
          </HeaderCell>
          <HeaderCell className={clsx("text-right!", byOpens && "max-sm:hidden")}>
            {t("Clicked")}
          </HeaderCell>
          <HeaderCell className="text-right!">
            <span className="sm:hidden">{t("Best")}</span>
            <span className="max-sm:hidden">{t("Probably best")}</span>
          </HeaderCell>
          {may && isOpen && (
            <HeaderCell className="w-0 max-sm:hidden">
              <span className="sr-only">{t("Choose")}</span>
            </HeaderCell>
          )}
        </TableHead>
        <tbody>
          {variants.map((variant) => (
            <VariantRow
              key={variant.variant}
              variant={variant}
              campaignId={campaign.id}
              result={result}
              onChoose={may && isOpen ? () => setChosen(variant) : null}
            />
          ))}
        </tbody>
      </Table>
      {chosen && (
        <ChooseDialog
          campaign={campaign}
          variant={chosen}
          waiting={waiting}
          onClose={() => setChosen(null)}
        />
      )}
    </Section>
  );
}

function Standing({
  result: { phase, decidesAt, explanation, testRecipients },
  isPaused,
}: {
  result: AbTestResult;
  isPaused: boolean;
}) {
  const due = phase === "awaiting_winner" &&
    decidesAt && {
      relativeTime: <RelativeTime value={decidesAt} />,
      time: <ExactTime value={decidesAt} seconds={false} />,
    };
  return (
    <span data-testid="ab-standing">
      {due && (
        <>
          {isPaused
            ? rich(
                "Decision due {relativeTime}, at {time}, but not before the campaign is resumed.",
                due,
              )
            : rich("Decision due {relativeTime}, at {time}.", due)}{" "}
        </>
      )}
      {t("{explanation} Figures of the {people} in the test.", {
        explanation,
        people: people(testRecipients),
      })}
    </span>
  );
}

function ChooseDialog({
  campaign,
  variant: { variant, subject },
  waiting,
  onClose,
}: {
  campaign: CampaignProgress;
  variant: VariantResult;
  /** How many people get it. */
  waiting: number;
  onClose: () => void;
}) {
  const api = useApi();
  const choose = useAction({
    leaves: true,
    mutationFn: () =>
      api("POST /v1/campaigns/{id}/winner", { params: { id: campaign.id }, body: { variant } }),
    onSuccess: () => {
      toast.success(t("{variant} goes to everybody else", { variant }));
      onClose();
    },
  });
  const paused = campaign.status === "PAUSED";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("Send variant {variant} to everybody else?", { variant })}
      description={
        paused
          ? t(
              "The test ends, and {people} who are not in it get “{subject}” once the campaign is resumed. This cannot be taken back.",
              { people: people(waiting), subject },
            )
          : t(
              "The test ends, and {people} who are not in it get “{subject}” now. This cannot be taken back.",
              { people: people(waiting), subject },
            )
      }
      footer={
        <>
          <Button onClick={onClose}>{t("Keep testing")}</Button>
          <Button variant="primary" pending={choose.isPending} onClick={() => choose.mutate()}>
            {t("Send {variant} to {people}", { variant, people: people(waiting) })}
          </Button>
        </>
      }
    >
      {choose.isError && (
        <Callout kind="danger" alert>
          {messageOf(choose.error)}
        </Callout>
      )}
    </Dialog>
  );
}
