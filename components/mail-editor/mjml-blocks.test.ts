import { expect, test } from "vitest";
import { defaultTheme } from "@/lib/mail/design/schema";
import { isMjml } from "./is-mjml";
import { takeMjml } from "./mjml-blocks";

const take = (body: string, head = "") => {
  const taken = takeMjml(`<mjml><mj-head>${head}</mj-head>${body}</mjml>`, defaultTheme);
  if (!taken) throw new Error("It could not be read.");
  return taken;
};
const inSection = (content: string, attrs = "") =>
  `<mj-body><mj-section ${attrs}><mj-column>${content}</mj-column></mj-section></mj-body>`;

/** `[button {"href":...}]` for each marked block, with the other HTML as it is. */
const shown = (html: string) =>
  html
    .replace(
      /<div data-mail-block="(\w+)" data-mail="([^"]*)">/g,
      (_, name: string, attrs: string) => `[${name} ${attrs.replaceAll("&quot;", '"')}]`,
    )
    .replaceAll("\n", "");

test("texts, images, buttons, lines and spaces become blocks with their links and alignment", () => {
  const { html, left } = take(
    inSection(`
      <mj-text font-size="32px" align="center" color="#333333">Hello {{ firstName }}</mj-text>
      <mj-text color="#333333">One line,<br>and <b>another</b> &amp; more</mj-text>
      <mj-text align="right" color="#333333"><p>Para</p><ul><li>Item</li></ul></mj-text>
      <mj-image src="https://example.com/a.png" alt="A &quot;cup&quot;" width="300px" href="https://example.com/?a=1&amp;b=2" />
      <mj-button href="https://example.com/buy" background-color="#112233" color="#fff">Buy <b>now</b></mj-button>
      <mj-divider border-color="#ccc" />
      <mj-spacer height="40px" />`),
  );
  expect(left).toEqual([]);
  expect(shown(html)).toBe(
    '<h1 style="text-align:center">Hello {{ firstName }}</h1>' +
      '<p style="text-align:left">One line,<br>and <b>another</b> &amp; more</p>' +
      '<div data-align="right"><p>Para</p><ul><li>Item</li></ul></div>' +
      '[image {"src":"https://example.com/a.png","alt":"A \\"cup\\"","href":"https://example.com/?a=1&amp;b=2","align":"center","width":300}]</div>' +
      '[button {"href":"https://example.com/buy","align":"center","background":null,"color":null}]Buy now </div>' +
      "[divider {}]</div>" +
      '[spacer {"height":40}]</div>',
  );
});

test("columns keep their widths, and sections on another ground theirs", () => {
  const { html, theme, left } = take(
    `<mj-body background-color="#eee" width="640px">
      <mj-section background-color="#ffffff"><mj-column width="33%"><mj-text>L</mj-text></mj-column><mj-column width="67%"><mj-text>R</mj-text></mj-column></mj-section>
      <mj-section background-color="#ffffff"><mj-group><mj-column><mj-text>1</mj-text></mj-column><mj-column><mj-text>2</mj-text></mj-column></mj-group></mj-section>
      <mj-wrapper background-color="#101010"><mj-section><mj-column><mj-text color="#fafafa">Dark</mj-text></mj-column></mj-section></mj-wrapper>
    </mj-body>`,
  );
  expect(left).toEqual([]);
  expect(theme).toMatchObject({ background: "#eeeeee", sheet: "#ffffff", width: 640 });
  const text = (words: string) => `<p style="text-align:left">${words}</p>`;
  const column = (share: number, words: string) =>
    `[column {"share":${share}}]${text(words)}</div>`;
  expect(shown(html)).toBe(
    `[columns {}]${column(1, "L")}${column(2, "R")}</div>` +
      `[columns {}]${column(1, "1")}${column(1, "2")}</div>` +
      `[section {"background":"#101010","color":"#fafafa"}]${text("Dark")}</div>`,
  );
});

test("what the head sets for all, for an element and for a class is heard, the nearest first", () => {
  const { html, theme } = take(
    inSection(
      '<mj-text>A</mj-text><mj-text mj-class="quiet">B</mj-text><mj-text mj-class="quiet" align="left">C</mj-text>',
    ),
    `<mj-attributes><mj-all font-family="Georgia, serif" /><mj-text align="center" color="#444" />
     <mj-class name="quiet" align="right" /></mj-attributes>`,
  );
  expect(shown(html)).toBe(
    '<p style="text-align:center">A</p><p style="text-align:right">B</p><p style="text-align:left">C</p>',
  );
  expect(theme).toMatchObject({ font: "serif", text: "#444444" });
});

test("social links, tables and HTML come along", () => {
  const { html, left } = take(
    inSection(`<mj-social><mj-social-element name="facebook-noshare" href="https://facebook.com/x">Us</mj-social-element>
      <mj-social-element name="myspace" href="https://myspace.com/x" /></mj-social>
      <mj-table><tr><td>1</td></tr></mj-table><mj-raw><b>raw</b></mj-raw>`),
  );
  expect(shown(html)).toBe(
    '[social {"align":"center","links":[{"network":"Facebook","url":"https://facebook.com/x"}]}]</div>' +
      '[html {"html":"&lt;table width=\\"100%\\"&gt;&lt;tr&gt;&lt;td&gt;1&lt;/td&gt;&lt;/tr&gt;&lt;/table&gt;"}]</div>' +
      '[html {"html":"&lt;b&gt;raw&lt;/b&gt;"}]</div>',
  );
  expect(left).toEqual(["the social link “myspace”"]);
});

test("whatever is not taken over is told, and never silently gone", () => {
  const { left } = take(
    `<mj-body><mj-section background-url="https://example.com/b.png"><mj-column background-color="#123">
      <mj-raw>{% if plan %}</mj-raw><mj-text>Only some</mj-text><mj-raw>{% endif %}</mj-raw>
      <mj-chart data="1" /><mj-image src="cid:a" /></mj-column></mj-section></mj-body>`,
    `<mj-style>.a > b { color: red }</mj-style><mj-preview>Look</mj-preview><mj-include path="./a.mjml" /><mj-title>A</mj-title><mj-raw><b>raw</b></mj-raw>`,
  );
  expect(left).toEqual([
    ...["styles of the head", "the preview text: a text at the top says the same"],
    ...[
      "parts from other files",
      "<mj-raw> in the head",
      "a background image",
      "the background of a column",
    ],
    ...["a condition or loop around elements (2)", "<mj-chart>", "an image without a web address"],
  ]);
});

test("what stands between elements is told, too", () => {
  const { html, left } = take(
    `<mj-body>{% if plan %}<mj-section><mj-column>Loose words<mj-text>Only some</mj-text><mj-text> </mj-text>
      </mj-column></mj-section>{% endif %}</mj-body>`,
  );
  expect(left).toEqual(["a condition or loop around elements", "a text between elements"]);
  expect(shown(html)).toBe('<p style="text-align:left">Only some</p>');
});

test("what stands in a text need not be tidy", () => {
  const { html, left } = take(
    inSection(`<!-- <mj-text>not this</mj-text> -->
      <mj-text>It's 5 < 6, {% if data.n > 1 %}"<br>{% endif %}</mj-text><mj-text></mj-text>
      <mj-image alt="a > b" src="https://example.com/a.png"></mj-image>`),
  );
  expect(left).toEqual([]);
  expect(shown(html)).toBe(
    `<p style="text-align:left">It's 5 < 6, {% if data.n > 1 %}"<br>{% endif %}</p>` +
      '[image {"src":"https://example.com/a.png","alt":"a &gt; b","href":"","align":"center","width":null}]</div>',
  );
});

test("no link leads to a script, and nothing escapes from its attribute", () => {
  const { html } = take(
    inSection(`<mj-button href="javascript:alert(1)">Go</mj-button>
      <mj-image src="https://example.com/a.png" alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" />`),
  );
  expect(html).not.toContain("javascript:");
  expect(html).not.toContain("<script");
});

test.each(["<mjml></mjml>", "<mjml><mj-head></mj-head></mjml>", "<mjml><mj-body><mj-text>", "no"])(
  "%s cannot be read",
  (source) => {
    expect(takeMjml(source, defaultTheme)).toBeNull();
  },
);

test("MJML is told from HTML, and a megabyte of it is read within seconds", () => {
  expect(isMjml('<?xml version="1.0"?>\n<mjml lang="en">')).toBe(true);
  expect(isMjml("<html><body>about <b>mjml</b></body></html>")).toBe(false);
  const started = performance.now();
  const many = inSection(
    "<mj-text>Word &amp; word</mj-text><mj-raw>{% if a %}</mj-raw>".repeat(18_000),
  );
  expect(take(many).left).toEqual(["a condition or loop around elements (18000)"]);
  for (const hostile of [
    "<".repeat(500_000),
    "<mj-column>".repeat(50_000),
    "{%if".repeat(200_000),
  ]) {
    takeMjml(`<mjml>${inSection(`<mj-text>${hostile}</mj-text>`)}</mjml>`, defaultTheme);
    takeMjml(`<mjml>${inSection(hostile)}</mjml>`, defaultTheme);
  }
  expect(performance.now() - started).toBeLessThan(8_000);
});
