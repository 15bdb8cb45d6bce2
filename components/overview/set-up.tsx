"use client";

import clsx from "clsx";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import type { Overview } from "@/lib/domain/overview/schema";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";

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

/** By how many steps are left. */
const headings = phrases({
  1: "One step to your first real email",
  2: "Two steps to your first real email",
  3: "Three steps to your first real email",
  4: "Four steps to your first real email",
});

const link = "font-medium text-accent-ink underline decoration-from-font underline-offset-4";

/** What is left to do before the first real send; the first open step is unfolded. */
export function SetUp({ setUp }: { setUp: Overview["setUp"] }) {
  const { appUrl, capturing } = useProject();
  const path = useProjectPath();
  const domain = setUp.verifiedDomain ?? (capturing ? "sandbox.test" : "your-domain.example");
  const steps: Step[] = [
    {
      title: t("Create an API key"),
      done: setUp.apiKey,
      body: (
        <>
          {rich(
            "Programs sign in with a key. <link>Create one</link> and copy it: it is shown only once.",
            {
              link: (words) => (
                <Link href={path("api-keys")} className={link}>
                  {words}
                </Link>
              ),
            },
          )}
        </>
      ),
    },
    {
      title: t("Send your first email"),
      done: setUp.firstEmailId !== null,
      body: (
        <div className="flex flex-col gap-3">
          <p>
            {capturing
              ? t(
                  "Mail is captured here: it is processed in full and ends up in the captured mailbox, so nobody outside receives it.",
                )
              : t("Run this with your own key and domain.")}
          </p>
          <CodeBlock
            label={t("curl command")}
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
      title: t("Verify your domain"),
      done: setUp.verifiedDomain !== null,
      body: (
        <>
          {rich(
            "Three DNS records prove that your mail is yours. <link>Add the domain</link> to see them.",
            {
              link: (words) => (
                <Link href={path("domains")} className={link}>
                  {words}
                </Link>
              ),
            },
          )}
        </>
      ),
    },
    {
      title: t("Send from your domain"),
      done: setUp.realSend,
      body: capturing ? (
        <>
          {rich(
            "So far nothing leaves this installation: all mail is kept in the <link>captured mailbox</link>. Whoever runs it names a mail server (<code>MAIL_TRANSPORT</code>, <guide>how</guide>).",
            {
              link: (words) => (
                <Link href={path("captured")} className={link}>
                  {words}
                </Link>
              ),
              code: (words) => <code className="font-mono text-xs">{words}</code>,
              guide: (words) => (
                <Link href="/docs/self-hosting" className={link}>
                  {words}
                </Link>
              ),
            },
          )}
        </>
      ) : (
        <>{t("Send from an address at {domain}. This checklist then disappears.", { domain })}</>
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
          {headings[open.length as keyof typeof headings]}
        </h2>
        {done.length > 0 && (
          <p className="flex items-center gap-1.5 text-sm text-faint">
            <Check className="size-4 shrink-0 text-success" aria-hidden />
            {t("{done} of {steps} done", { done: done.length, steps: steps.length })}
          </p>
        )}
      </div>
      <ol>
        {open.map((step, index) => (
          <li
            key={steps.indexOf(step)}
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
