/** @jsxImportSource hono/jsx */
import type { FC } from "hono/jsx";
import type { ActivityBuckets } from "@/lib/domain/campaigns/activity-schema";
import { amount, compactAmount } from "@/lib/ground/amount";
import { ticksTo } from "@/lib/ground/chart-ticks";
import { dateFormat } from "@/lib/ground/texts/formats";
import { phrases, t } from "@/lib/ground/texts/t";

const width = 960;
const height = 260;
const left = 56;
const top = 18;
const bottom = 26;
const plot = { width: width - left, height: height - top - bottom };
/** With more of them, the figures on the bars would stand in each other's way. */
const mostFigured = 16;
const axisLabels = 8;

const series = phrases([
  { key: "opened", label: "Opened" },
  { key: "clicked", label: "Clicked" },
]);

/** A bucket's beginning, on the axis and in full. */
function labelsOf(hourly: boolean, timeZone: string) {
  const zone = hourly ? timeZone : "UTC";
  const day = { day: "numeric", month: "short", timeZone: zone } as const;
  const hour = { hour: "2-digit", minute: "2-digit", timeZone: zone } as const;
  const axis = dateFormat(hourly ? hour : day);
  const full = dateFormat({ weekday: "short", ...day, ...(hourly ? hour : {}) });
  return {
    axis: (at: string) => axis.format(new Date(at)),
    full: (at: string) => full.format(new Date(at)),
    name: hourly ? t("Hour from ({timeZone})", { timeZone }) : t("Day (UTC)"),
  };
}

/** Opens and clicks over time: bars with their axes, drawn without a script, and the same as a table. */
export const ReportChart: FC<{ activity: ActivityBuckets; timeZone: string }> = ({
  activity: { hourly, buckets },
  timeZone,
}) => {
  const labels = labelsOf(hourly, timeZone);
  const ticks = ticksTo(Math.max(...buckets.flatMap(({ opened, clicked }) => [opened, clicked])));
  const most = ticks.at(-1) ?? 1;
  const slot = plot.width / buckets.length;
  const bar = Math.min(26, slot * 0.38);
  const every = Math.ceil(buckets.length / axisLabels);
  const y = (value: number) => top + plot.height * (1 - value / most);
  const total = (key: "opened" | "clicked") =>
    buckets.reduce((sum, bucket) => sum + bucket[key], 0);
  const peak = buckets.reduce((best, one) => (one.opened > best.opened ? one : best), buckets[0]!);
  const sums = {
    opened: amount(total("opened")),
    clicked: amount(total("clicked")),
    time: labels.full(peak.at),
    most: amount(peak.opened),
  };
  const words = hourly
    ? t(
        "{opened} opened and {clicked} clicked. Most opened it in the hour from {time}: {most}.",
        sums,
      )
    : t("{opened} opened and {clicked} clicked. Most opened it on {time}: {most}.", sums);
  const rows = buckets.filter(({ opened, clicked }) => opened > 0 || clicked > 0);
  return (
    <figure>
      <figcaption>
        {series.map(({ key, label }) => (
          <span>
            <span class={`swatch ${key}`} aria-hidden="true"></span>
            {label}
          </span>
        ))}
      </figcaption>
      <div
        class="scroll chart"
        tabindex={0}
        role="group"
        aria-label={t("Opens and clicks over time")}
      >
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
          {ticks.map((tick) => (
            <>
              <line
                class={tick === 0 ? "base" : "line"}
                x1={left}
                x2={width}
                y1={y(tick)}
                y2={y(tick)}
              />
              <text x={left - 8} y={y(tick) + 4} text-anchor="end">
                {compactAmount(tick)}
              </text>
            </>
          ))}
          {buckets.map((bucket, index) => {
            const middle = left + slot * (index + 0.5);
            return (
              <>
                {series.map(({ key }, place) => {
                  const value = bucket[key];
                  const x = middle + (place - 1) * bar;
                  return value === 0 ? null : (
                    <>
                      <rect class={key} x={x} y={y(value)} width={bar} height={y(0) - y(value)} />
                      {buckets.length <= mostFigured && (
                        <text class="on-bar" x={x + bar / 2} y={y(value) - 4} text-anchor="middle">
                          {compactAmount(value)}
                        </text>
                      )}
                    </>
                  );
                })}
                {index % every === 0 && (
                  <text x={middle} y={height - 6} text-anchor="middle">
                    {labels.axis(bucket.at)}
                  </text>
                )}
              </>
            );
          })}
        </svg>
      </div>
      <p class="soft">
        {hourly
          ? t("People, by hour, {timeZone}. {words}", { timeZone, words })
          : t("People, by day, UTC. {words}", { words })}
      </p>
      <details>
        <summary>{t("Show as a table")}</summary>
        <div class="scroll" tabindex={0} role="group" aria-label={t("Opens and clicks as a table")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{labels.name}</th>
                <th scope="col" class="number">
                  {t("Opened")}
                </th>
                <th scope="col" class="number">
                  {t("Clicked")}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ at, opened, clicked }) => (
                <tr>
                  <th scope="row">{labels.full(at)}</th>
                  <td class="number">{amount(opened)}</td>
                  <td class="number">{amount(clicked)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
};
