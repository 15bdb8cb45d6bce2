import { ChevronLeft, ChevronRight } from "lucide-react";
import type { StaticImageData } from "next/image";
import { Markdown } from "@/components/markdown/markdown";
import type { Heading, MarkdownDocument } from "@/components/markdown/read";
import { PageHeader } from "@/components/ui/page-header";
import type { DocsTitles } from "./docs-frame";
import { docsFiles, docsGroups, docsLink, docsPath, ownAddress } from "./pages";

function OnThisPage({ headings, label }: { headings: readonly Heading[]; label: string }) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-col gap-1.5 text-sm">
        {headings.map(({ id, text, depth }) => (
          <li key={id} className={depth > 2 ? "pl-3" : ""}>
            <a href={`#${id}`} className="text-soft hover:text-accent-ink">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbours({ file, titles }: { file: string; titles: DocsTitles }) {
  const at = docsFiles.indexOf(file);
  const before = docsFiles[at - 1];
  const after = docsFiles[at + 1];
  const look = "inline-flex items-center gap-1 font-medium hover:text-accent-ink";
  return (
    <nav
      aria-label="Previous and next page"
      className="mt-12 flex flex-wrap justify-between gap-4 border-t pt-5 text-sm print:hidden"
    >
      {before && (
        <a href={docsPath(before)} rel="prev" className={look}>
          <ChevronLeft className="size-4 text-faint" aria-hidden />
          <span className="sr-only">Previous: </span>
          {titles.get(before)}
        </a>
      )}
      {after && (
        <a href={docsPath(after)} rel="next" className={`${look} ml-auto`}>
          <span className="sr-only">Next: </span>
          {titles.get(after)}
          <ChevronRight className="size-4 text-faint" aria-hidden />
        </a>
      )}
    </nav>
  );
}

/** A page of the documentation with what it contains and its neighbours. */
export function DocsPage({
  file,
  document,
  titles,
  images,
  appUrl,
}: {
  file: string;
  document: MarkdownDocument;
  titles: DocsTitles;
  /** What its images are, by the address they have in the text. */
  images: Readonly<Record<string, StaticImageData>>;
  /** This installation's own address. */
  appUrl: string;
}) {
  const { headings } = document;
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_13rem] xl:gap-12 print:block">
      <article className="mx-auto w-full max-w-3xl min-w-0">
        <PageHeader title={document.title} />
        {headings.length > 1 && (
          <details className="mb-6 border-b pb-4 xl:hidden print:hidden">
            <summary className="text-sm font-medium">On this page</summary>
            <div className="pt-3">
              <OnThisPage headings={headings} label="On this page, folded" />
            </div>
          </details>
        )}
        <Markdown
          document={document}
          link={(href) => docsLink(file, href)}
          image={(href) => images[href] ?? null}
          code={(text) => ownAddress(text, appUrl)}
        />
        <Neighbours file={file} titles={titles} />
      </article>
      {headings.length > 1 && (
        <aside className="sticky top-8 max-h-[calc(100dvh-4rem)] self-start overflow-y-auto max-xl:hidden print:hidden">
          <p className="eyebrow pb-2">On this page</p>
          <OnThisPage headings={headings} label="On this page" />
        </aside>
      )}
    </div>
  );
}

/** Every page with what it is about. */
export function DocsIndex({
  title,
  description,
  documents,
}: {
  title: string;
  description: string;
  documents: ReadonlyMap<string, MarkdownDocument>;
}) {
  const groups = docsGroups.map(({ label, files }) => ({
    label,
    pages: files.flatMap((file) => {
      const document = documents.get(file);
      return document ? [{ file, document }] : [];
    }),
  }));
  return (
    <div className="max-w-3xl">
      <PageHeader title={title} description={description} />
      {groups.map(({ label, pages }) => (
        <section key={label} className="mb-9">
          <h2 className="display mb-3 text-xl">{label}</h2>
          <ul className="border-t">
            {pages.map(({ file, document }) => (
              <li key={file} className="border-b py-3">
                <a href={docsPath(file)} className="font-medium hover:text-accent-ink">
                  {document.title}
                </a>
                <p className="text-sm text-soft">{document.lead}</p>
                {document.headings.length > 0 && (
                  <p className="mt-0.5 text-xs text-faint">
                    {document.headings
                      .filter(({ depth }) => depth === 2)
                      .map(({ text }) => text)
                      .join(" · ")}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
