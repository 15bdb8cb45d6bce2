import clsx from "clsx";
import { Trophy } from "lucide-react";
import type { ReactNode } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { FigureLink } from "@/components/ui/figure-link";
import { count, percent } from "@/components/ui/numbers";
import { Cell, Row } from "@/components/ui/table";
import type { AbTestResult, VariantResult } from "@/lib/domain/ab-tests/schema";
import type { CountedEvent } from "@/lib/domain/emails/terms";
import { t } from "@/lib/ground/texts/t";
import { VariantMark } from "./variant-mark";

/** What is only nearly certain is not shown as certain. */
const oddsWords = (share: number) =>
  share > 0.999 ? `> ${percent(0.999)}` : share < 0.001 ? `< ${percent(0.001)}` : percent(share);

/** A variant of an A/B test: how it is doing, with the button to choose it. */
export function VariantRow({
  variant,
  campaignId,
  result,
  onChoose,
}: {
  variant: VariantResult;
  campaignId: string;
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
  const path = useProjectPath();
  const figure = (event: CountedEvent, number: number) => (
    <FigureLink
      href={
        number > 0
          ? path(`emails?campaignId=${campaignId}&variant=${variant.variant}&event=${event}`)
          : undefined
      }
    >
      {count(number)}
    </FigureLink>
  );
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
      <Cell className="text-right text-soft max-sm:hidden">
        {figure("handed_over", variant.sent)}
      </Cell>
      <Cell className="text-right text-soft max-sm:hidden">
        {figure("delivered", variant.delivered)}
      </Cell>
      <Rate rate={variant.openRate} decides={byOpens}>
        {figure("opened", variant.opened)}
      </Rate>
      <Rate rate={variant.clickRate} decides={!byOpens}>
        {figure("clicked", variant.clicked)}
      </Rate>
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
function Rate({
  rate,
  decides,
  children,
}: {
  rate: number;
  decides: boolean;
  /** How many people. */
  children: ReactNode;
}) {
  return (
    <Cell
      className={clsx(
        "text-right align-top sm:align-middle",
        decides ? "font-medium" : "text-soft max-sm:hidden",
      )}
    >
      {percent(rate)}
      <span className="block text-xs font-normal text-faint">{children}</span>
    </Cell>
  );
}
