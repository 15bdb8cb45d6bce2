import clsx from "clsx";
import type { ReactNode } from "react";
import { Wordmark } from "@/components/shell/wordmark";
import { docsGroups, docsPath } from "./pages";

/** The title of each page, by its file. */
export type DocsTitles = ReadonlyMap<string, string>;

/** All pages, in groups. */
function DocsContents({
  titles,
  current,
}: {
  titles: DocsTitles;
  /** The file of the page that is shown. */
  current?: string | undefined;
}) {
  return docsGroups.map(({ label, files }) => (
    <div key={label} className="mb-4">
      <p className="eyebrow px-3 pb-1">{label}</p>
      <ul>
        {files.map((file) => (
          <li key={file}>
            <a
              href={docsPath(file)}
              aria-current={file === current ? "page" : undefined}
              className={clsx(
                "relative block rounded-md px-3 py-1.5 text-sm transition-colors",
                file === current
                  ? "bg-hover font-medium text-ink before:absolute before:inset-y-1.5 before:left-0 before:w-[3px] before:rounded-full before:bg-accent"
                  : "text-soft hover:bg-hover hover:text-ink",
              )}
            >
              {titles.get(file)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** The frame of the documentation: its pages at the side, on a phone folded up above the text. */
export function DocsFrame({
  titles,
  current,
  children,
}: {
  titles: DocsTitles;
  current?: string | undefined;
  children: ReactNode;
}) {
  const contents = <DocsContents titles={titles} current={current} />;
  return (
    <div className="mx-auto max-w-7xl">
      <header className="flex h-16 items-center justify-between gap-4 border-b px-4 sm:px-6 print:hidden">
        <a href="/docs" className="rounded-sm">
          <Wordmark />
          <span className="sr-only"> documentation</span>
        </a>
        <a
          href="/dashboard"
          className="text-sm text-soft underline-offset-4 hover:text-accent-ink hover:underline"
        >
          Dashboard
        </a>
      </header>
      <details className="border-b px-4 py-3 sm:px-6 lg:hidden print:hidden">
        <summary className="text-sm font-medium">All pages</summary>
        <nav aria-label="All pages" className="-mx-3 pt-3">
          {contents}
        </nav>
      </details>
      <div className="lg:grid lg:min-h-[calc(100dvh-4rem)] lg:grid-cols-[15rem_minmax(0,1fr)] print:block">
        <nav
          aria-label="Documentation"
          className="sticky top-0 max-h-dvh self-start overflow-y-auto px-3 py-8 max-lg:hidden print:hidden"
        >
          {contents}
        </nav>
        <main className="min-w-0 px-4 py-8 sm:px-6 lg:border-l lg:px-10 print:border-0 print:p-0">
          {children}
        </main>
      </div>
    </div>
  );
}
