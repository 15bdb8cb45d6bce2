import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insertIntoHtml, scanHtml } from "./rewrite-html";

const urls = (html: string) => scanHtml(html).links.map(({ url }) => url);
const rewrite = (html: string, href = "https://t.example/x") =>
  insertIntoHtml(html, scanHtml(html), { hrefFor: () => href, first: "", last: "" });
const ends = (html: string) =>
  insertIntoHtml(html, scanHtml(html), { hrefFor: () => null, first: "[first]", last: "[last]" });

describe("links of HTML", () => {
  it("are the http(s) addresses of a and area, whatever their case and quotes", () => {
    expect(
      urls(`<a href="http://a.example">1</a><A HREF='https://b.example/?x=1'>2</A>
        <area href=https://c.example/z shape=rect><a class="x" title="a > b" href = "https://d.example">4</a>
        <a/href="https://e.example">5</a><a href="https://f.example" href="https://g.example">6</a>`),
    ).toEqual([
      "http://a.example",
      "https://b.example/?x=1",
      "https://c.example/z",
      "https://d.example",
      "https://e.example",
      "https://f.example",
    ]);
  });

  it("are no other schemes, no other elements, and nothing that has no host", () => {
    expect(
      urls(`<a href="mailto:a@b.example">m</a><a href="tel:1">t</a><a href="#top">u</a><a href="/x">r</a>
        <a href="javascript:alert(1)">j</a><a href="//p.example">p</a><a href="">e</a><a href>n</a>
        <link href="https://l.example"><img src="https://i.example"><base href="https://b.example">
        <a data-href="https://d.example">d</a><a href="https://">h</a><abbr href="https://x.example">`),
    ).toEqual([]);
  });

  it("are decoded as browsers decode attributes", () => {
    expect(urls(`<a href="https://a.example/?a=1&amp;b=2&copy=3&#x26;d&eacute;&notit;">`)).toEqual([
      "https://a.example/?a=1&b=2&copy=3&d\u00e9&notit;",
    ]);
    expect(urls(`<a href=" \n https://a.exa\nmple/\tx ">`)).toEqual(["https://a.example/x"]);
    expect(urls(`<a href="https://a.example/\0\ud800x">`)).toEqual([
      "https://a.example/\ufffd\ufffdx",
    ]);
  });

  it("are not looked for in comments, styles, scripts and attributes", () => {
    const link = '<a href="https://no.example">';
    expect(
      urls(`<!-- ${link} --><!-->${"<a href=https://one.example>"}<!-- a --!><a href=https://two.example>
        <style>${link}</style><script>"${link}"</script><title>${link}</title><textarea>${link}</textarea >
        <p title='${link}'><? ${"<a "} ?></ ${"<a "}><!doctype ${"<a "}><style/>${link}</style>
        <a href=https://three.example>`),
    ).toEqual(["https://one.example", "https://two.example", "https://three.example"]);
  });

  it("may be left out of tracking by their author", () => {
    const [plain, quiet] = scanHtml(
      '<a href="https://a.example">1</a><a data-no-track href="https://b.example">2</a>',
    ).links;
    expect([plain?.untracked, quiet?.untracked]).toEqual([false, true]);
  });

  it("are replaced whole, in quotes, with their characters escaped", () => {
    expect(rewrite("<a id=x href=https://a.example>z</a>", 'https://b.example/?a=1&b="')).toBe(
      '<a id=x href="https://b.example/?a=1&amp;b=&quot;">z</a>',
    );
  });

  it("leave every other character of the HTML as it was", () => {
    const safe = fc.constantFrom("x", " ", "é", "&amp;", "\n", "p > q", "a = b", "🙂");
    const piece = fc.oneof(
      safe.map((text) => ({ text, link: null })),
      fc
        .constantFrom("<b>", "</b>", "<br/>", "<p class='a \"> b'>", "<img alt=\"<a href='y'>\">")
        .map((text) => ({ text, link: null })),
      fc
        .constantFrom("<!-- <a href='https://no.example'> -->", "<style>a > b{}</style>")
        .map((text) => ({ text, link: null })),
      fc
        .tuple(
          fc.constantFrom("a", "A", "area"),
          fc.constantFrom(" ", "\n", " title='>' ", " x=1 ", "/"),
          fc.constantFrom('"', "'", ""),
          fc.webUrl({ withQueryParameters: true }).filter((url) => !/[&'"`<>\s=]/.test(url)),
        )
        .map(([name, gap, quote, url]) => ({
          text: { before: `<${name}${gap}href=`, value: `${quote}${url}${quote}`, after: ">" },
          link: url,
        })),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const written = (value: (own: string) => string) =>
          pieces
            .map(({ text }) =>
              typeof text === "string" ? text : text.before + value(text.value) + text.after,
            )
            .join("");
        const html = written((own) => own);
        expect(urls(html)).toEqual(pieces.flatMap(({ link }) => link ?? []));
        expect(rewrite(html)).toBe(written(() => '"https://t.example/x"'));
        expect(ends(html).replace("[first]", "").replace("[last]", "")).toBe(html);
      }),
      { numRuns: 500 },
    );
  });

  it("are read of any text, in time that grows with its length only", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "<",
            ">",
            "a",
            " ",
            "=",
            '"',
            "'",
            "/",
            "!",
            "-",
            "<a href=",
            "<!--",
            "<style",
          ),
        ),
        (parts) => {
          const html = parts.join("");
          expect(ends(html).replace("[first]", "").replace("[last]", "")).toBe(html);
        },
      ),
      { numRuns: 2_000 },
    );
    const time = (html: string) => {
      const started = performance.now();
      scanHtml(html);
      return performance.now() - started;
    };
    // Squared, each would take minutes.
    const hostile = [
      "<a ",
      "<a  =",
      "<!-- ",
      "<style>",
      "<a href=' ",
      "</a ",
      "<a" + " ".repeat(50),
      "<",
    ];
    expect(time(`<a href="https://a.example/${" ".repeat(1_000_000)}x">`)).toBeLessThan(5_000);
    for (const part of hostile) {
      expect(time(part.repeat(Math.ceil(1_000_000 / part.length)))).toBeLessThan(5_000);
    }
  });
});

describe("the ends of a body", () => {
  it("are within the body element", () => {
    expect(
      ends("<!doctype html><html><head><title>x</title></head><body class=a>Hi</body></html>"),
    ).toBe(
      "<!doctype html><html><head><title>x</title></head><body class=a>[first]Hi[last]</body></html>",
    );
    expect(ends("<p>Hi</p>")).toBe("[first]<p>Hi</p>[last]");
    expect(ends("<html><p>Hi</p></html>\n")).toBe("<html>[first]<p>Hi</p>[last]</html>\n");
    expect(ends("<body>a</body>b</body>")).toBe("<body>[first]a</body>b[last]</body>");
    expect(ends("")).toBe("[first][last]");
  });

  it("are not those named in comments and texts", () => {
    expect(ends("<!-- <body> --><body>Hi<!-- </body> --></body>")).toBe(
      "<!-- <body> --><body>[first]Hi<!-- </body> -->[last]</body>",
    );
  });

  it("stand before what is left open and would swallow the rest", () => {
    expect(ends("<p>Hi<!-- oops </body>")).toBe("[first]<p>Hi[last]<!-- oops </body>");
    expect(ends("<p>Hi<style>p{}</p>")).toBe("[first]<p>Hi[last]<style>p{}</p>");
    expect(ends("<p>Hi<a href='x>y</a></body>")).toBe("[first]<p>Hi[last]<a href='x>y</a></body>");
    expect(ends("<body>Hi</body><!-- oops")).toBe("<body>[first]Hi[last]</body><!-- oops");
  });
});
