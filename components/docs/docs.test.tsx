import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { decodeHTML } from "entities";
import { walkTokens } from "marked";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { plainText, readMarkdown } from "@/components/markdown/read";
import { DocsPage } from "./docs-page";
import { docsFiles, docsLink, docsPath, ownAddress } from "./pages";

const documents = new Map(
  docsFiles.map((file) => [file, readMarkdown(readFileSync(`docs/${file}`, "utf8"))]),
);
const titles = new Map([...documents].map(([file, { title }]) => [file, title]));
const fileAt = (path: string) => docsFiles.find((file) => docsPath(file) === path) ?? "";

/** What the product has no page for: in the repository these links lead somewhere. */
const onlyInRepository = /^(\.\.\/|architecture\.md|contributing\.md|decisions)/;

it("has a page for every guide, each under an address of its own", () => {
  const guides = globSync("*.md", { cwd: "docs/guide" }).map((name) => `guide/${name}`);
  expect(guides.filter((file) => !docsFiles.includes(file))).toEqual([]);
  expect(new Set(docsFiles.map(docsPath)).size).toBe(docsFiles.length);
});

describe.each(docsFiles)("%s", (file) => {
  const document = documents.get(file);
  if (!document) throw new Error(`${file} was not read.`);

  it("has a title, and begins with what it is about", () => {
    expect(document.title).not.toBe("");
    expect(document.lead.length).toBeGreaterThan(15);
  });

  it("leads to what is there, anchors too", () => {
    const faults: string[] = [];
    void walkTokens(document.body, (token) => {
      if (token.type !== "link") return;
      const { href } = token as unknown as { href: string };
      const target = docsLink(file, href);
      const inRepository = posix.join(posix.dirname(file), href.split("#")[0] ?? "");
      if (target === null) {
        const known = onlyInRepository.test(inRepository) && existsSync(`docs/${inRepository}`);
        if (!known) faults.push(href);
        return;
      }
      if (!target.startsWith("/docs/") && !target.startsWith("#")) return;
      const [path = "", anchor] = target.split("#", 2);
      const there = documents.get(path === "" ? file : fileAt(path));
      if (!there) faults.push(href);
      if (anchor && !there?.headings.some(({ id }) => id === anchor)) faults.push(href);
    });
    expect(faults).toEqual([]);
  });

  it("is shown whole, without a bit of its mark-up", () => {
    const html = renderToStaticMarkup(
      <DocsPage
        file={file}
        document={document}
        titles={titles}
        images={{}}
        appUrl="https://mail.example.org"
      />,
    );
    const text = decodeHTML(html.replace(/<[^>]+>/g, ""));
    const missing = document.body
      .filter((token) => token.type === "paragraph" || token.type === "code")
      .map((token) => (token.type === "paragraph" ? plainText(token.tokens ?? []) : token.text))
      .filter((part) => !text.includes(ownAddress(part, "https://mail.example.org")));
    expect(missing).toEqual([]);
    const words = html.replace(/<(code|pre).*?<\/\1>/gs, "");
    expect(words).not.toMatch(/\*\*|`|\]\(|>[-#] |undefined/);
    // Names of regions and anchors are not given twice.
    const names = [...html.matchAll(/ (?:id|aria-label)="([^"]+)"/g)].map(([, name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

it("has readers copy the address of this installation, and changes nothing else", () => {
  const code = "export LETTERMILL_URL=http://localhost:3000\nexport LETTERMILL_KEY=sk_live_...";
  expect(ownAddress(code, "https://mail.example.org")).toBe(
    "export LETTERMILL_URL=https://mail.example.org\nexport LETTERMILL_KEY=sk_live_...",
  );
  expect(ownAddress("curl http://localhost:3000", "https://mail.example.org")).toBe(
    "curl http://localhost:3000",
  );
  const quickStart = readFileSync("docs/guide/quick-start.md", "utf8");
  expect(ownAddress(quickStart, "https://mail.example.org")).not.toBe(quickStart);
});
