import { expect, test } from "vitest";
import { inspectHtml } from "./inspect-html";
import { cpuClock } from "@/lib/testing/cpu-time";

const hrefs = (html: string) => inspectHtml(html).links.map(({ href }) => href);

test("links are read as mail programs read them", () => {
  expect(
    inspectHtml(
      `<!-- <a href="https://hidden.example">x</a> --><style>a{}</style>
      <a href='https://a.example/?x=1&amp;y=2'>A</a><A HREF=#top>up</A><a href="">none</a><a name=x>no</a>
      <a href="www.b.example">B</a><area href="https://c.example">`,
    ).links,
  ).toEqual([
    { href: "https://a.example/?x=1&y=2", url: "https://a.example/?x=1&y=2", visible: true },
    { href: "#top", url: null, visible: true },
    { href: "", url: null, visible: true },
    { href: "www.b.example", url: null, visible: true },
    { href: "https://c.example", url: "https://c.example", visible: true },
  ]);
});

test.each([
  ["text", "<b>Leave</b>", true],
  ["a picture", "<img src=a.png>", true],
  ["nothing", "", false],
  ["blanks", " &nbsp;\n\u200b<b> </b>", false],
])("a link with %s in it can be pressed: %s", (_, content, visible) => {
  expect(inspectHtml(`<a href="https://a.example">${content}</a> text`).links[0]?.visible).toBe(
    visible,
  );
});

test("a link that hides itself cannot be pressed", () => {
  const html = '<a style="color:red;DISPLAY : none" href="https://a.example">Leave</a>';
  expect(inspectHtml(html).links[0]?.visible).toBe(false);
});

test("pictures come with what they say, an empty alternative being one", () => {
  expect(
    inspectHtml(
      `<img src="https://a.example/1.png"><img alt="" src=cid:x><IMG ALT='A "cat"' SRC=data:,>`,
    ).images,
  ).toEqual([
    { src: "https://a.example/1.png", url: "https://a.example/1.png", alt: null },
    { src: "cid:x", url: null, alt: "" },
    { src: "data:,", url: null, alt: 'A "cat"' },
  ]);
});

test("what is left open ends the reading, abrupt comments do not", () => {
  expect(hrefs("<!--><a href=a>1</a><!---><a href=b>2</a><!-- <a href=c>3</a>")).toEqual([
    "a",
    "b",
  ]);
  expect(hrefs('<a href="a">1</a><a href="b')).toEqual(["a"]);
});

test.each([
  "<".repeat(500_000),
  "<a href=x ".repeat(50_000),
  "<!--".repeat(120_000),
  "<a>".repeat(160_000),
])("half a megabyte of nonsense takes little time", (html) => {
  const used = cpuClock();
  inspectHtml(html);
  expect(used()).toBeLessThan(2_000);
});
