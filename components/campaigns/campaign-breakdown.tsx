"use client";

import clsx from "clsx";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { AsTable } from "@/components/chart/as-table";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { ProviderTable } from "@/components/receivers/provider-table";
import { providerBases } from "@/components/ui/delivered-words";
import { compactCount, count, people, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { CampaignBreakdown as Breakdown } from "@/lib/domain/campaigns/breakdown-schema";
import { t } from "@/lib/ground/texts/t";

/** Who read a campaign: by receiving provider, device, country and hour of the day. */
export function CampaignBreakdown({ campaignId }: { campaignId: string }) {
  const reading = useRead(
    "GET /v1/campaigns/{id}/breakdown",
    { params: { id: campaignId } },
    { every: 120_000, retry: false },
  );
  const { data } = reading;
  const path = useProjectPath();
  if (!data) {
    return (
      <NotUpToDate of={reading} title={t("Readers by provider and device could not be loaded")} />
    );
  }
  if (data.providers.length === 0) return null;
  return (
    <>
      <Section title={t("By receiving provider")} description={providerBases(data)}>
        <ProviderTable
          label={t("By receiving provider")}
          {...data}
          mail={(filter) =>
            path(`emails?${new URLSearchParams({ campaignId, ...filter }).toString()}`)
          }
        />
      </Section>
      {data.devices.length > 0 && (
        <Section
          title={t("Readers")}
          description={t(
            "By what each person used for their first open or click. Gmail and Apple load images through their own servers, so some of their readers’ devices and countries are unknown.",
          )}
        >
          <div className="grid gap-x-10 gap-y-7 lg:grid-cols-3">
            <Shares title={t("Devices")} rows={data.devices} />
            <Shares title={t("Countries")} rows={data.countries} />
            <Hours hours={data.hours} timeZone={data.timeZone} />
          </div>
        </Section>
      )}
    </>
  );
}

function Shares({ title, rows }: { title: string; rows: Breakdown["devices"] }) {
  const total = rows.reduce((sum, row) => sum + row.people, 0);
  return (
    <div>
      <h3 className="eyebrow mb-2">{title}</h3>
      {rows.length === 0 ? (
        <p className="text-sm text-soft">{t("Not known.")}</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {rows.map((row) => (
            <li key={row.name}>
              <span className="flex justify-between gap-3">
                <span className="truncate">{row.name}</span>
                <span className="shrink-0 text-soft tabular-nums">
                  {people(row.people)}, {percent(row.people / total)}
                </span>
              </span>
              <span aria-hidden className="mt-1 block h-1 bg-sunken">
                <span
                  className="block h-full bg-ink"
                  style={{ width: `${(row.people / total) * 100}%` }}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

function Hours({ hours, timeZone }: { hours: readonly number[]; timeZone: string }) {
  const most = Math.max(1, ...hours);
  const best = hours.indexOf(most);
  return (
    <div>
      <h3 className="eyebrow mb-2">{t("Hour of the day, {timeZone}", { timeZone })}</h3>
      <p aria-hidden className="border-b border-rule text-xs text-faint">
        {t("{most} people", { most: compactCount(most) })}
      </p>
      <ol
        className="flex h-28 items-end gap-px"
        aria-label={t("Readers by hour, {timeZone}", { timeZone })}
      >
        {hours.map((readers, hour) => (
          <li
            key={hour}
            title={`${clock(hour)}: ${people(readers)}`}
            className="flex h-full flex-1 items-end bg-sunken"
          >
            <span className="sr-only">
              {clock(hour)}: {people(readers)}
            </span>
            <span
              aria-hidden
              className={clsx(
                "block w-full print:[print-color-adjust:exact]",
                hour === best ? "bg-accent" : "bg-ink",
              )}
              style={{ height: `${(readers / most) * 100}%` }}
            />
          </li>
        ))}
      </ol>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-faint">
        <span>00</span>
        <span>06</span>
        <span>12</span>
        <span>18</span>
        <span>23</span>
      </p>
      {best >= 0 && (
        <p className="mt-1 text-sm text-soft">
          {t("Most people read it between {start} and {end}: {people}.", {
            start: clock(best),
            end: clock((best + 1) % 24),
            people: count(most),
          })}
        </p>
      )}
      <AsTable>
        <Table label={t("Readers by hour, {timeZone}, as a table", { timeZone })} className="mt-2">
          <TableHead>
            <HeaderCell>{t("Hour from")}</HeaderCell>
            <HeaderCell className="text-right!">{t("People")}</HeaderCell>
          </TableHead>
          <tbody>
            {hours.map((readers, hour) => (
              <Row key={hour}>
                <th scope="row" className="py-1 text-left font-normal">
                  {clock(hour)}
                </th>
                <Cell className="py-1! text-right">{count(readers)}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      </AsTable>
    </div>
  );
}
