import type { Chance } from "@/lib/testing/chance";

const bomb = `{% assign a = "" | split: "," | push: "" %}{% for i in (1..60) %}{% assign a = a | push: a %}{% endfor %}{{ a }}`;

/** Text that programs have stumbled over: parsers, patterns, encodings, template languages, databases. */
const texts: (() => string)[] = [
  () => "",
  () => " ",
  () => "\u0000",
  () => "a\u0000b@example.org",
  () => "\ud800",
  () => "\u202Eabc\u2066",
  () => "😀".repeat(200),
  () => "ﬁ ß İ ǆ Ａ",
  () => "x".repeat(100_000),
  () => " ".repeat(2_000) + "@",
  () => "a@".repeat(500),
  () => "<".repeat(20_000),
  () => "<div>".repeat(5_000),
  () => "<!--".repeat(5_000),
  () => "&".repeat(20_000),
  () => "{{".repeat(2_000),
  () => bomb,
  () => "{% for i in (1..100000000) %}x{% endfor %}",
  () => "{{ 'x' | append: 'y' }}{% include 'a' %}{% if %}",
  () => "\r\nBcc: everybody@example.org\r\n\r\nbody",
  () => "' or 1=1; --",
  () => "%00%2e%2e%2f",
  () => "../../etc/passwd",
  () => "__proto__",
  () => "constructor.prototype",
  () => "data.constructor.__proto__.x",
  () => "http://169.254.169.254/latest",
  () => "javascript:alert(1)",
  () => "1e309",
  () => "NaN",
  () => "-1",
  () => "9".repeat(400),
  () => "0000-00-00T00:00:00Z",
  () => "+275760-09-13T00:00:00.001Z",
  () => "2026-02-30T25:61:61Z",
  () => "=?utf-8?b?4pyT?=",
  () => `"a b"@example.org`,
  () => "a@[127.0.0.1]",
  () => "@".repeat(1_000),
  () => "a@" + "b.".repeat(200) + "org",
  () => "=cmd|' /C calc'!A0",
  () => "*".repeat(1_000),
  () => "%".repeat(3_000),
  () => "\\".repeat(3_000),
];

const deep = (depth: number): unknown => {
  let value: unknown = 0;
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { and: [value] };
  return value;
};

const others: (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 0.1,
  () => 2 ** 53,
  () => -(2 ** 31) - 1,
  () => 1e308,
  () => [],
  () => ({}),
  () => [[[]]],
  () => Array.from({ length: 10_000 }, () => 0),
  () => Array.from({ length: 2_000 }, (_, n) => `p${n}@example.org`),
  () => Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`key${n}`, n])),
  () => deep(60),
  () => JSON.parse('{"__proto__":{"admin":true}}') as unknown,
  () => ({ toString: 1, valueOf: null, length: -1 }),
];

export const hostileText = (chance: Chance): string => chance.pick(texts)();

export const hostileValue = (chance: Chance): unknown =>
  chance.oneIn(2) ? hostileText(chance) : chance.pick(others)();

/** Bodies that are no JSON, or JSON that is cut off or doubled. */
export function hostileBody(chance: Chance, body: string): string {
  return chance.pick([
    () => body.slice(0, chance.below(body.length + 1)),
    () => body + body,
    () => "\ufeff" + body,
    () => body.replace(/:/g, "=").replace(/,/g, "&"),
    () => body.replace("{", '{"__proto__":{"a":1},'),
    () => body.replace("{", '{"a":1,"a":2,'),
    () => "[".repeat(50_000),
    () => '{"a":'.repeat(20_000),
    () => `"${"x".repeat(300_000)}"`,
    () => "null",
    () => "[]",
    () => "1",
    () => "",
    () => "\u0000",
  ])();
}
