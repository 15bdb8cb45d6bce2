"use client";

import clsx from "clsx";
import { Check } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { CodeBlock } from "@/components/ui/code-block";
import type { Overview } from "@/lib/domain/overview/schema";

interface Step {
  title: string;
  done: boolean;
  body: ReactNode;
}

function curl(appUrl: string, from: string, to: string): string {
  const body = JSON.stringify(
    {
      to,
      from,
      subject: "Hello from Lettermill",
      body: "<h1>It works</h1><p>Set, inked and pressed.</p>",
    },
    null,
    2,
  );
  return [
    `curl ${appUrl}/v1/send \\`,
    `  -H "Authorization: Bearer $LETTERMILL_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body}'`,
  ].join("\n");
}

const inWords = ["No", "One", "Two", "Three", "Four"];

const link = "font-medium text-accent-ink underline decoration-from-font underline-offset-4";

/** What is left to do before the first real send; the first open step is unfolded. */
export function SetUp({ setUp }: { setUp: Overview["setUp"] }) {
  const { appUrl, capturing } = useProject();
  const path = useProjectPath();
  const domain = setUp.verifiedDomain ?? (capturing ? "sandbox.test" : "your-domain.example");
  const steps: Step[] = [
    {
      title: "Create an API key",
      done: setUp.apiKey,
      body: (
        <>
          Programs sign in with a key.{" "}
          <Link href={path("api-keys")} className={link}>
            Create one
          </Link>{" "}
          and copy it: it is shown only once.
        </>
      ),
    },
    {
      title: "Send your first email",
      done: setUp.firstEmailId !== null,
      body: (
        <div className="flex flex-col gap-3">
          <p>
            {capturing
              ? "Mail is captured here: it is processed in full and ends up in the captured mailbox, so nobody outside receives it."
              : "Run this with your own key and domain."}
          </p>
          <CodeBlock
            label="curl command"
            code={curl(
              appUrl,
              `hello@${domain}`,
              capturing ? "ada@example.com" : "you@example.com",
            )}
          />
        </div>
      ),
    },
    {
      title: "Verify your domain",
      done: setUp.verifiedDomain !== null,
      body: (
        <>
          Three DNS records prove that your mail is yours.{" "}
          <Link href={path("domains")} className={link}>
            Add the domain
          </Link>{" "}
          to see them.
        </>
      ),
    },
    {
      title: "Send from your domain",
      done: setUp.realSend,
      body: capturing ? (
        <>
          So far nothing leaves this installation: all mail is kept in the{" "}
          <Link href={path("captured")} className={link}>
            captured mailbox
          </Link>
          . Whoever runs it names a mail server (
          <code className="font-mono text-xs">MAIL_TRANSPORT</code>,{" "}
          <Link href="/docs/self-hosting" className={link}>
            how
          </Link>
          ).
        </>
      ) : (
        <>Send from an address at {domain}. This checklist then disappears.</>
      ),
    },
  ];
  const open = steps.filter(({ done }) => !done);
  const done = steps.filter(({ done }) => done);
  return (
    <section
      aria-labelledby="set-up"
      className="rounded-lg border border-rule-strong bg-sheet shadow-press"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b px-5 py-3.5">
        <h2 id="set-up" className="display text-xl">
          {open.length === 1 ? "One step" : `${inWords[open.length] ?? "Some"} steps`} to your first
          real email
        </h2>
        {done.length > 0 && (
          <p className="flex items-center gap-1.5 text-sm text-faint">
            <Check className="size-4 shrink-0 text-success" aria-hidden />
            {done.length} of {steps.length} done
          </p>
        )}
      </div>
      <ol>
        {open.map((step, index) => (
          <li
            key={step.title}
            className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 border-b px-5 py-3 last:border-b-0"
          >
            <span
              aria-hidden
              className={clsx(
                "display flex size-7 items-center justify-center rounded-full border text-sm",
                index === 0
                  ? "border-accent bg-accent text-on-accent"
                  : "border-dashed border-control text-faint",
              )}
            >
              {steps.indexOf(step) + 1}
            </span>
            <div className="self-center">
              <p className={clsx("text-sm", index === 0 ? "font-semibold" : "font-medium")}>
                {step.title}
              </p>
              {index === 0 && <div className="mt-1.5 pb-1 text-sm text-soft">{step.body}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
