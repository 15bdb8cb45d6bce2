import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import {
  badDay,
  simulatedDays,
  simulatedPeople,
  simulateSixtyDays,
} from "@/lib/testing/warm-up-days";
import { startStand } from "./stand";

/*
 * Draws docs/warm-up.svg from sixty days of warm-up by the real engine, under a clock that is moved
 * forward: `npm run simulate:warm-up`. The test of the same sixty days says what must hold for them.
 */

interface Day {
  cap: number;
  campaigns: number;
  transactional: number;
  slowed: boolean;
}

const [width, height] = [960, 420];
const plot = { left: 56, right: 24, top: 64, bottom: 52 };
const ink = "#2b2622";

function draw(schedule: readonly number[], days: readonly Day[]): string {
  const highest = Math.max(...schedule, ...days.map(({ cap }) => cap));
  const top = Math.ceil(highest / 100) * 100;
  const step = (width - plot.left - plot.right) / days.length;
  const x = (day: number) => plot.left + day * step;
  const y = (emails: number) =>
    height - plot.bottom - (emails / top) * (height - plot.top - plot.bottom);
  const fixed = (value: number) => value.toFixed(1);
  const steps = (caps: readonly number[]) =>
    caps
      .map(
        (cap, day) =>
          `${day === 0 ? "M" : "L"}${fixed(x(day))} ${fixed(y(cap))}H${fixed(x(day + 1))}`,
      )
      .join("");
  const bar = (day: number, from: number, to: number, colour: string) =>
    to > from
      ? `<rect x="${fixed(x(day) + 1)}" y="${fixed(y(to))}" width="${fixed(step - 2)}" height="${fixed(y(from) - y(to))}" fill="${colour}"/>`
      : "";
  const lines = Array.from({ length: top / 100 + 1 }, (_, index) => index * 100).map(
    (emails) =>
      `<line x1="${plot.left}" x2="${width - plot.right}" y1="${fixed(y(emails))}" y2="${fixed(y(emails))}" stroke="#e4ddd2"/><text x="${plot.left - 8}" y="${fixed(y(emails) + 4)}" text-anchor="end">${emails}</text>`,
  );
  const dayLabels = days
    .map((_, day) => day)
    .filter((day) => day === 0 || (day + 1) % 10 === 0)
    .map(
      (day) =>
        `<text x="${fixed(x(day + 0.5))}" y="${height - plot.bottom + 18}" text-anchor="middle">${day + 1}</text>`,
    );
  const bars = days.map(
    ({ campaigns, transactional }, day) =>
      bar(day, 0, transactional, "#8a8178") +
      bar(day, transactional, transactional + campaigns, "#d2452d"),
  );
  const legend = [
    ["#d2452d", "campaigns"],
    ["#8a8178", "transactional, never held back"],
  ].map(
    ([colour, words], index) =>
      `<rect x="${plot.left + index * 110}" y="38" width="10" height="10" fill="${colour}"/><text x="${plot.left + 15 + index * 110}" y="47">${words}</text>`,
  );
  const title = `Sixty days of warm-up: two campaigns to ${simulatedPeople.toLocaleString("en")} people each, day by day`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="ui-sans-serif, system-ui, sans-serif" font-size="12" fill="${ink}">
<title id="title">${title}</title>
<rect width="${width}" height="${height}" fill="#fbf8f2"/>
<text x="${plot.left}" y="24" font-size="15" font-weight="600">${title}</text>
${legend.join("\n")}
<line x1="${plot.left + 330}" x2="${plot.left + 350}" y1="43" y2="43" stroke="${ink}" stroke-width="2"/><text x="${plot.left + 356}" y="47">the day's cap</text>
<line x1="${plot.left + 450}" x2="${plot.left + 470}" y1="43" y2="43" stroke="${ink}" stroke-dasharray="2 3"/><text x="${plot.left + 476}" y="47">as planned</text>
${lines.join("\n")}
${bars.filter(Boolean).join("\n")}
<path d="${steps(schedule.slice(0, days.length))}" fill="none" stroke="${ink}" stroke-dasharray="2 3"/>
<path d="${steps(days.map(({ cap }) => cap))}" fill="none" stroke="${ink}" stroke-width="2"/>
<text x="${fixed(x(badDay + 0.5))}" y="${fixed(y(schedule[badDay] ?? 0) - 14)}" text-anchor="middle">40 emails bounce</text>
${dayLabels.join("\n")}
<text x="${width / 2}" y="${height - 12}" text-anchor="middle">day of the plan</text>
</svg>
`;
}

const stand = await startStand();
let travelled = "0";
try {
  const days: Day[] = [];
  const { schedule } = await simulateSixtyDays(
    {
      db: stand.db,
      async travel(interval) {
        const [sum] = await stand.db.$client<{ travelled: string }[]>`
          select (${travelled}::text::interval + ${interval}::text::interval)::text as travelled`;
        travelled = sum?.travelled ?? travelled;
        await stand.db.$client.unsafe(
          `create or replace function app_now() returns timestamptz language sql stable parallel safe as $$select now() + interval '${travelled}'$$`,
        );
      },
    },
    {
      onHour: ({ day, sent, warmup }) => {
        days[day] = {
          cap: warmup.dailyCap ?? 0,
          campaigns: sent.day,
          transactional: sent.transactional,
          slowed: warmup.state === "slowed",
        };
      },
    },
  );
  writeFileSync(join(root, "docs", "warm-up.svg"), draw(schedule, days));
  const slowed = days.flatMap(({ slowed }, day) => (slowed ? [day + 1] : []));
  console.log(`docs/warm-up.svg: ${simulatedDays} days, slowed on ${slowed.join(", ")}.`);
} finally {
  await stand.stop();
}
process.exit(0);
