"use client";

import clsx from "clsx";
import { Trophy } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { count, people, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { AbTestResult, VariantResult } from "@/lib/domain/ab-tests/schema";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { VariantMark } from "./variant-mark";

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

/** What is only nearly certain is not shown as certain. */
const oddsWords = (share: number) =>
  share > 0.999 ? `> ${percent(0.999)}` : share < 0.001 ? `< ${percent(0.001)}` : percent(share);

function VariantRow({
  variant,
  result,
  onChoose,
}: {
  variant: VariantResult;
  result: AbTestResult;
  /** null: not now, or not by this viewer. */
  onChoose: (() => void) | null;
}) {
  const won = result.winner === variant.variant;
  const chooseButton = onChoose && (
    <Button size="sm" onClick={onChoose}>
      {t("Choose {variant} now", { variant: variant.variant })}
    </Button>
  );
  const byOpens = result.winnerMetric === "opens";
  return (
    <Row>
      <Cell className="align-top sm:align-middle">
        <div className="flex items-start gap-3 sm:items-center">
          <VariantMark variant={variant.variant} won={won} />
          <div className="min-w-0">
            <span className="sr-only">{variant.variant}: </span>
            <span className="font-medium wrap-break-word">{variant.subject}</span>
            <Differences variant={variant} variants={result.variants} />
            {won && (
              <span className="mt-0.5 flex items-center gap-1 text-xs font-medium text-success">
                <Trophy className="size-3.5 shrink-0" aria-hidden />
                {result.phase === "done"
                  ? t("went to everybody else")
                  : t("goes to everybody else")}
              </span>
            )}
            {onChoose && <div className="mt-2 sm:hidden">{chooseButton}</div>}
          </div>
        </div>
      </Cell>
      <Cell className="text-right text-soft max-sm:hidden">{count(variant.sent)}</Cell>
      <Cell className="text-right text-soft max-sm:hidden">{count(variant.delivered)}</Cell>
      <Rate people={variant.opened} rate={variant.openRate} decides={byOpens} />
      <Rate people={variant.clicked} rate={variant.clickRate} decides={!byOpens} />
      <Cell className="text-right align-top sm:align-middle">
        {variant.delivered === 0 ? "–" : oddsWords(variant.probabilityToBeBest)}
        <span aria-hidden className="mt-1 block h-1 min-w-10 bg-sunken">
          <span
            className={won ? "block h-full bg-success" : "block h-full bg-ink"}
            style={{
              width: `${variant.delivered === 0 ? 0 : variant.probabilityToBeBest * 100}%`,
            }}
          />
        </span>
      </Cell>
      {onChoose && <Cell className="text-right max-sm:hidden">{chooseButton}</Cell>}
    </Row>
  );
}

/** What is a variant's own besides the subject; content is shown with the message. */
function Differences({
  variant,
  variants,
}: {
  variant: VariantResult;
  variants: readonly VariantResult[];
}) {
  const differs = (name: "fromName" | "previewText") =>
    variants.some((other) => other[name] !== variant[name]);
  const words = [
    ...(differs("fromName")
      ? [
          variant.fromName
            ? t("from {name}", { name: variant.fromName })
            : t("from the address alone"),
        ]
      : []),
    ...(differs("previewText")
      ? [
          variant.previewText
            ? t("“{previewText}”", { previewText: variant.previewText })
            : t("no preview text"),
        ]
      : []),
  ];
  if (words.length === 0) return null;
  return <span className="block text-xs wrap-break-word text-soft">{words.join(", ")}</span>;
}

/** The deciding figure stands out; the other one is paler. */
function Rate({ people, rate, decides }: { people: number; rate: number; decides: boolean }) {
  return (
    <Cell
      className={clsx(
        "text-right align-top sm:align-middle",
        decides ? "font-medium" : "text-soft max-sm:hidden",
      )}
    >
      {percent(rate)}
      <span className="block text-xs font-normal text-faint">{count(people)}</span>
    </Cell>
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
