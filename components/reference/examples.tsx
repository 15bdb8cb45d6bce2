"use client";

import { useEffect, useRef, useState, type ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import type { ReferenceOperation } from "@/lib/doors/http/reference/reference";
import { KeyExample } from "./reader-key";

/** An operation's requests and answers, made once it has been opened: there are hundreds, and few are read. */
export function Examples({
  summary,
  requests,
  answers,
}: Pick<ReferenceOperation, "summary" | "requests"> & {
  answers: readonly { status: string; example: string }[];
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isOpened, setOpened] = useState(false);
  useEffect(() => {
    const details = place.current?.closest("details");
    const look = () => {
      if (details?.open) setOpened(true);
    };
    look();
    details?.addEventListener("toggle", look);
    return () => details?.removeEventListener("toggle", look);
  }, []);
  return (
    <div ref={place} className="flex min-w-0 flex-col gap-6">
      {isOpened &&
        requests.map(({ title, curl }) => (
          <Part key={title} title={title}>
            <KeyExample code={curl} label={`curl: ${summary}, ${title}`} />
          </Part>
        ))}
      {isOpened &&
        answers.map(({ status, example }) => (
          <Part key={status} title={`Response ${status}`}>
            <CodeBlock code={example} label={`Response ${status}: ${summary}`} />
          </Part>
        ))}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="eyebrow mb-1.5">{title}</h3>
      {children}
    </div>
  );
}
