"use client";

import clsx from "clsx";
import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { IconButton } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { count, finePercent, percent } from "@/components/ui/numbers";
import { PageHeader, Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { SuggestInput } from "@/components/ui/suggest-input";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { Comparison } from "@/lib/domain/campaigns/compare-schema";
import { mostCompared } from "@/lib/domain/campaigns/terms";
import { t } from "@/lib/ground/texts/t";
import { rateLabel, verdictWords } from "./comparison-words";

/** Campaigns side by side, with a note for each rate on whether the difference may be chance. */
export function CampaignComparison({
  id,
  initial,
  chosen,
}: {
  id: string;
  initial: Comparison;
  /** The others, by id. */
  chosen: readonly string[];
}) {
  const path = useProjectPath();
  const router = useRouter();
  const reading = useRead(
    "GET /v1/campaigns/{id}/comparison",
    { params: { id }, query: { with: chosen.join(",") } },
    { initial, every: 30_000 },
  );
  const { campaigns, rates } = reading.data;
  const show = (ids: readonly string[]) =>
    router.replace(
      path(`campaigns/${id}/compare${ids.length > 0 ? `?with=${ids.join(",")}` : ""}`),
    );
  return (
    <>
      <PageHeader
        title={t("Compare campaigns")}
        back={{ href: path(`campaigns/${id}`), label: campaigns[0]?.name ?? t("Campaign") }}
        description={t(
          "Up to {mostCompared} campaigns side by side. A rate is marked as best only if the difference is unlikely to be chance.",
          { mostCompared },
        )}
      />
      <NotUpToDate of={reading} />
      {campaigns.length < mostCompared && (
        <AddCampaign
          taken={campaigns.map((campaign) => campaign.id)}
          onAdd={(added) => show([...chosen, added])}
        />
      )}
      <Section title={t("Figures")}>
        <Table label={t("Campaigns side by side")}>
          <TableHead>
            <HeaderCell>
              <span className="sr-only">{t("Figure")}</span>
            </HeaderCell>
            {campaigns.map((campaign) => (
              <th
                key={campaign.id}
                scope="col"
                className="max-w-52 min-w-24 px-3 sm:min-w-36 py-2 text-right align-bottom text-sm font-normal last:pr-0"
              >
                <Link
                  href={path(`campaigns/${campaign.id}`)}
                  className="font-medium hover:text-accent-ink"
                >
                  {campaign.name}
                </Link>
                <span className="block text-xs text-soft">
                  {campaign.startedAt ? (
                    <RelativeTime value={campaign.startedAt} />
                  ) : (
                    t("not sent yet")
                  )}
                  {campaign.id !== id && (
                    <IconButton
                      label={t("Remove {name}", { name: campaign.name })}
                      variant="ghost"
                      size="sm"
                      onClick={() => show(chosen.filter((other) => other !== campaign.id))}
                    >
                      <X aria-hidden />
                    </IconButton>
                  )}
                </span>
              </th>
            ))}
          </TableHead>
          <tbody>
            <CountRow
              label={t("Recipients")}
              values={campaigns.map(({ stats }) => stats.recipients)}
            />
            <CountRow label={t("Sent")} values={campaigns.map(({ stats }) => stats.sent)} />
            <CountRow
              label={
                campaigns.every(({ stats }) => stats.deliveryConfirmed)
                  ? t("Delivered")
                  : t("Known to have arrived")
              }
              values={campaigns.map(({ stats }) => stats.delivered)}
            />
            {rates.map((rate) => (
              <RateRow key={rate.rate} rate={rate} campaigns={campaigns} />
            ))}
          </tbody>
        </Table>
      </Section>
    </>
  );
}

function CountRow({ label, values }: { label: string; values: readonly number[] }) {
  return (
    <Row>
      <Cell className="text-soft">{label}</Cell>
      {values.map((value, index) => (
        <Cell key={index} className="text-right">
          {count(value)}
        </Cell>
      ))}
    </Row>
  );
}

function RateRow({
  rate,
  campaigns,
}: {
  rate: Comparison["rates"][number];
  campaigns: Comparison["campaigns"];
}) {
  const small = rate.rate === "complaintRate" || rate.rate === "unsubscribeRate";
  const format = small ? finePercent : percent;
  return (
    <Row>
      <Cell className="min-w-32 sm:w-64">
        {rateLabel(rate.rate, campaigns)}
        <span className="block text-xs text-soft">{verdictWords(rate, campaigns)}</span>
      </Cell>
      {campaigns.map(({ id, stats }) => {
        const isBest = rate.clear && rate.best === id;
        return (
          <Cell key={id} className={clsx("text-right", isBest && "font-semibold text-success")}>
            {stats.sent === 0 ? "–" : format(stats[rate.rate])}
            {isBest && <span className="block text-xs font-normal">{t("best")}</span>}
          </Cell>
        );
      })}
    </Row>
  );
}

function AddCampaign({ taken, onAdd }: { taken: readonly string[]; onAdd: (id: string) => void }) {
  const [text, setText] = useState("");
  const search = useSettled(text.trim());
  const found = useRead("GET /v1/campaigns", { query: { search, limit: 20 } });
  const offered = (found.data?.data ?? []).filter(
    ({ id, startedAt }) => startedAt !== null && !taken.includes(id),
  );
  const nameOf = ({ name, startedAt }: (typeof offered)[number]) =>
    `${name}, ${(startedAt ?? "").slice(0, 10)}`;
  const choose = (name: string) => {
    const chosen = offered.find((campaign) => nameOf(campaign) === name);
    if (!chosen) return;
    setText("");
    onAdd(chosen.id);
  };
  return (
    <Field label={t("Add a campaign")} className="mb-7 max-w-md">
      <SuggestInput
        value={text}
        onChange={setText}
        onChoose={choose}
        suggestions={offered.map(nameOf)}
        placeholder={t("Name of the campaign")}
      />
    </Field>
  );
}
