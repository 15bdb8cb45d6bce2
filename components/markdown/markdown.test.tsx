import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Markdown } from "./markdown";
import { anchorOf, readMarkdown } from "./read";

const htmlOf = (source: string) =>
  renderToStaticMarkup(<Markdown document={readMarkdown(source)} />);

it("makes headings that links can lead to, as GitHub names them", () => {
  const document = readMarkdown("# Title\n\nFirst: more.\n\n## `A` & b_c\n\n### Same\n\n## Same\n");
  expect(document).toMatchObject({
    title: "Title",
    lead: "First: more.",
    headings: [
      { id: "a--b_c", text: "A & b_c", depth: 2 },
      { id: "same", text: "Same", depth: 3 },
      { id: "same-1", text: "Same", depth: 2 },
    ],
  });
  expect(anchorOf("Changing APP_SECRET")).toBe("changing-app_secret");
});

it("shows paragraphs, lists that run over lines, tables and code, and nothing of the title", () => {
  const html = htmlOf(
    "# Title\n\nOne **two**\n`x<y`.\n\n- A [link](https://example.com)\n  goes on\n- B\n\n| | n |\n|---|---|\n| a | 1 |\n\n```sh\necho '<b>'\n```\n",
  );
  expect(html).not.toContain("Title");
  expect(html).toMatch(/One <strong[^>]*>two<\/strong>\s<code[^>]*>x&lt;y<\/code>\./);
  expect(html).toMatch(/<li[^>]*>A <a href="https:\/\/example.com"[^>]*>link<\/a>\sgoes on<\/li>/);
  expect(html).toMatch(/<td><\/td><th[^>]*>n<\/th>/);
  expect(html).toContain("<code>echo &#x27;&lt;b&gt;&#x27;</code>");
  expect(html).toContain('aria-label="Shell 2"');
});

it("shows a link that leads nowhere here as text, and an image that is not here as its words", () => {
  const source = "# T\n\n[a file](x.md) ![a picture](y.svg)\n";
  const html = renderToStaticMarkup(
    <Markdown document={readMarkdown(source)} link={() => null} image={() => null} />,
  );
  expect(html).toContain(">a file a picture</p>");
});

it("leaves no mark-up of the changelog unread", () => {
  const html = htmlOf(readFileSync("CHANGELOG.md", "utf8"));
  expect(html.length).toBeGreaterThan(10_000);
  expect(html.replace(/<code.*?<\/code>/gs, "")).not.toMatch(/\*\*|`|\]\(|>[-#] /);
});
