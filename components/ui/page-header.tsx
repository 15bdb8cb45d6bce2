import { Fragment, type ReactNode } from "react";
import { BackLink } from "./back-link";
import { Island } from "./island";

/** Addresses break after their separators before they break inside a word. */
function breakable(title: string): ReactNode {
  if (title.includes(" ")) return title;
  return title.split(/(?<=[/@.])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** A page's title, what it is in a sentence, and its actions. */
export function PageHeader({
  title,
  description,
  actions,
  back,
  meta,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** The list this is one of. */
  back?: { href: string; label: string };
  /** Status, id and the like under the title. */
  meta?: ReactNode;
}) {
  return (
    <header className="mb-7 border-b-3 border-double border-rule-strong pb-5">
      {back && <BackLink {...back} />}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="display text-3xl wrap-anywhere">{breakable(title)}</h1>
          {description && <p className="mt-1 max-w-2xl text-sm text-soft">{description}</p>}
          {meta && <div className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1">{meta}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
      </div>
    </header>
  );
}

/** A part of a page with its own heading. */
export function Section({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mt-9 first:mt-0">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div>
          <h2 className="display text-xl">{title}</h2>
          {description && <p className="mt-0.5 max-w-2xl text-sm text-soft">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
      </div>
      <Island>{children}</Island>
    </section>
  );
}
