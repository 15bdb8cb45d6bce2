import { expect, test } from "vitest";
import { clicksAsWritten } from "./written-links";

const clicked = (url: string, clicks: number, uniqueClicks = clicks) => ({
  url,
  clicks,
  uniqueClicks,
});

test("an address that was made for a person counts with what the author wrote, and is not told", () => {
  const rows = clicksAsWritten(
    [
      clicked("https://shop.example/news", 9, 5),
      clicked("https://shop.example/me?mail=ada%40example.com&k=1", 2, 1),
      clicked("https://shop.example/me?mail=grace%40example.com&k=1", 1),
      clicked("https://shop.example/ada@example.com/gift", 1),
      clicked("https://tracker.example/ada@example.com", 3, 2),
    ],
    [
      "https://shop.example/news",
      "https://shop.example/me?mail={{ email | url_encode }}&k=1",
      "https://shop.example/{{ email }}/gift",
      "https://never.example/",
    ],
    null,
  );
  expect(rows).toEqual([
    { address: "https://shop.example/news", clicks: 9, people: 5 },
    {
      address: "https://shop.example/me?mail={{ email | url_encode }}&k=1",
      clicks: 3,
      people: 2,
    },
    { address: "https://shop.example/{{ email }}/gift", clicks: 1, people: 1 },
    { address: null, clicks: 3, people: 2 },
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/ada|grace/);
});

test("what the campaign adds to its links is left out; what the author wrote stays", () => {
  const utm = { source: "news", medium: "e mail" };
  const added = "utm_source=news&utm_medium=e%20mail";
  expect(
    clicksAsWritten(
      [
        clicked(`https://shop.example/?${added}`, 1),
        clicked(`https://shop.example/a?x=1&${added}#top`, 2),
        clicked(`https://shop.example/b?utm_source=own&utm_medium=e%20mail`, 3),
        clicked(`https://shop.example/c?u=7&${added}`, 4),
      ],
      [
        "https://shop.example/",
        "https://shop.example/a?x=1#top",
        "https://shop.example/b?utm_source=own",
        "https://shop.example/c?u={{ number }}",
      ],
      utm,
    ).map(({ address, people }) => [address, people]),
  ).toEqual([
    ["https://shop.example/c?u={{ number }}", 4],
    ["https://shop.example/b?utm_source=own", 3],
    ["https://shop.example/a?x=1#top", 2],
    ["https://shop.example/", 1],
  ]);
});

test("a final slash makes no other address", () => {
  const rows = clicksAsWritten(
    [clicked("https://shop.example/", 2), clicked("https://shop.example/a", 1)],
    ["https://shop.example", "https://shop.example/a/"],
    null,
  );
  expect(rows.map(({ address }) => address)).toEqual([
    "https://shop.example",
    "https://shop.example/a/",
  ]);
});

test("of two patterns the one that says more counts; one without a host takes in nothing", () => {
  const address = (hrefs: string[]) =>
    clicksAsWritten([clicked("https://shop.example/a/ada", 1)], hrefs, null)[0]?.address;
  const [wide, narrow] = ["https://shop.example/{{ a }}", "https://shop.example/a/{{ b }}"];
  expect(address([wide, narrow])).toBe(narrow);
  expect(address([wide])).toBe(wide);
  expect(address(["{{ url }}", "https://{{host}}/a", "https://{{host"])).toBeNull();
  expect(address(["https://shop.example/{{ never closed"])).toBe(
    "https://shop.example/{{ never closed",
  );
  expect(
    address(["https://shop.example/{{ a }}/a/ada", "https://shop.example/a/adab{{ c }}"]),
  ).toBeNull();
});

test("thousands of placeholders in long addresses do not hold anybody up", () => {
  const start = "https://shop.example/";
  const hrefs = Array.from({ length: 200 }, (_, n) => `${start}${"{{ a }}b".repeat(900)}${n}`);
  const urls = Array.from({ length: 500 }, (_, n) =>
    clicked(`${start}${"b".repeat(7_900)}x${n}x`, 1),
  );
  const began = performance.now();
  expect(clicksAsWritten(urls, [...hrefs, start + "{".repeat(5_000_000)], null)).toEqual([
    { address: null, clicks: 500, people: 500 },
  ]);
  expect(performance.now() - began).toBeLessThan(3_000);
});
