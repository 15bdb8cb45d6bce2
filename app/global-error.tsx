"use client";

import "./globals.css";

export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto max-w-sm px-4 pt-[20vh]">
          <h1 className="display text-2xl">Something went wrong</h1>
          <p className="mt-2 text-sm text-soft">
            The fault is on our side. None of your data was lost.
          </p>
          <button type="button" onClick={reset} className="mt-5 underline">
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
