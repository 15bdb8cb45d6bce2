import type { ReactNode } from "react";
import { Mark } from "./wordmark";

/** The waves a postmark leaves on a stamp. */
function Cancellation() {
  return (
    <svg
      viewBox="0 0 132 44"
      aria-hidden
      className="absolute -top-5 -right-4 w-32 -rotate-6 text-accent opacity-60 sm:-right-9"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    >
      {[8, 17, 26, 35].map((y) => (
        <path key={y} d={`M2 ${y}q8-5 16 0t16 0 16 0 16 0 16 0 16 0 16 0 16 0`} />
      ))}
    </svg>
  );
}

/** A project appears under its own name and initial: its recipients have never heard of us. */
function Brand({ name }: { name: string | undefined }) {
  if (name === undefined) {
    return (
      <>
        <Mark className="size-7" />
        <span className="display text-lg leading-none">Lettermill</span>
      </>
    );
  }
  return (
    <>
      <span
        aria-hidden
        className="display flex size-7 shrink-0 items-center justify-center rounded-md bg-accent text-lg leading-none text-on-accent"
      >
        {[...name][0]?.toUpperCase()}
      </span>
      <span className="display min-w-0 text-lg leading-tight break-words">{name}</span>
    </>
  );
}

/** The frame of pages without navigation: sign-in, links from emails, errors. */
export function QuietPage({
  brand,
  title,
  lead,
  children,
  foot,
}: {
  /** The project whose page it is; absent on our own pages. */
  brand?: string | undefined;
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center overflow-x-clip px-4 pt-[12vh] pb-10">
      <div className="relative w-full max-w-sm">
        <div className="rounded-lg border border-rule-strong bg-sheet shadow-pop">
          <div className="flex items-center gap-3 border-b px-7 py-4">
            <Brand name={brand} />
          </div>
          <div className="px-7 pt-6 pb-7">
            <h1 className="display text-2xl break-words">{title}</h1>
            {lead && <div className="mt-1.5 text-sm wrap-anywhere text-soft">{lead}</div>}
            {children && <div className="mt-5">{children}</div>}
          </div>
        </div>
        <Cancellation />
      </div>
      {foot && <div className="mt-5 text-center text-sm text-soft">{foot}</div>}
    </main>
  );
}
