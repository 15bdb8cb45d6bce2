"use client";

import { X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Progress } from "@/components/ui/progress";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { forgetExport, type BegunExport } from "./begun";
import { ExportLink } from "./export-link";
import { amountWords } from "./words";

type Seen = ApiAnswer<"GET /v1/exports/{id}">;

/** One that the server has not heard of by then was refused, or the browser has not asked for it. */
const startMilliseconds = 15_000;

/** How far one export is, and what became of it. */
export function ExportProgress({ begun }: { begun: BegunExport }) {
  const { id, filename } = begun;
  const late = usePassed(begun.at, startMilliseconds);
  const { data: seen } = useRead(
    "GET /v1/exports/{id}",
    { params: { id } },
    {
      every: (last) => {
        if (last === undefined) return late ? startMilliseconds : 1_000;
        return last.state === "RUNNING" ? 1_000 : false;
      },
      retry: false,
      // The browser asks for the file first.
      enabled: usePassed(begun.at, 700),
    },
  );
  const state = seen?.state;
  useEffect(() => {
    if (seen?.state === "DONE") tellDone(filename, seen);
    if (seen?.state === "CANCELLED") tellCancelled(filename);
    if (seen?.state === "DONE" || seen?.state === "CANCELLED") forgetExport(id);
    // Told once, of the state alone.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [state]);
  if (state === "FAILED") {
    return (
      <Failed begun={begun} title={t("{filename} is not complete", { filename })}>
        {seen?.failureReason ?? t("The server stopped writing it.")}{" "}
        {t("Delete what your browser has kept of it.")}
      </Failed>
    );
  }
  if (!seen && late) {
    return (
      <Failed begun={begun} title={t("{filename} could not be exported", { filename })}>
        {t("The download has not begun.")}
      </Failed>
    );
  }
  if (state === "DONE" || state === "CANCELLED") return null;
  return <UnderWay begun={begun} seen={seen} />;
}

/** Whether so many milliseconds have passed since then. */
function usePassed(since: number, milliseconds: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const left = Math.max(0, since + milliseconds - Date.now());
    const timer = setTimeout(() => setPassed(true), left);
    return () => clearTimeout(timer);
  }, [since, milliseconds]);
  return passed;
}

function tellDone(filename: string, seen: Seen): void {
  toast.success(t("{filename} is complete", { filename }), { description: amountWords(seen) });
}

function tellCancelled(filename: string): void {
  toast.success(t("The export of {filename} was stopped", { filename }), {
    description: t("What your browser may have kept of it is not complete."),
  });
}

function UnderWay({ begun, seen }: { begun: BegunExport; seen: Seen | undefined }) {
  const api = useApi();
  const { id, filename } = begun;
  const words = t("Exporting {filename}", { filename });
  const cancel = useAction({
    mutationFn: () => api("POST /v1/exports/{id}/cancel", { params: { id } }),
    onError: (error) =>
      toast.error(t("It could not be cancelled"), { description: messageOf(error) }),
  });
  return (
    <div className="mb-7">
      <p className="mb-1.5 text-sm font-medium wrap-anywhere" role="status">
        {words}
      </p>
      <Progress label={words} value={null} />
      <div className="mt-1.5 flex flex-wrap items-center gap-3 text-sm text-soft">
        <span className="tabular-nums">
          {seen ? t("{amount} so far.", { amount: amountWords(seen) }) : t("Starting in a moment.")}{" "}
          {t("You can go on working.")}
        </span>
        {seen && (
          <Button size="sm" pending={cancel.isPending} onClick={() => cancel.mutate()}>
            <X aria-hidden /> {t("Cancel")}
          </Button>
        )}
      </div>
    </div>
  );
}

function Failed({
  begun,
  title,
  children,
}: {
  begun: BegunExport;
  title: string;
  children: ReactNode;
}) {
  const { id, projectId, filename, href } = begun;
  const forget = () => forgetExport(id);
  return (
    <div className="mb-7">
      <Callout kind="danger" title={title} alert>
        <p>{children}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          <ExportLink
            path={href.slice(`/api/dashboard/${projectId}`.length)}
            filename={filename}
            size="sm"
            onBegun={forget}
          >
            {t("Export again")}
          </ExportLink>
          <Button size="sm" variant="ghost" onClick={forget}>
            {t("Dismiss")}
          </Button>
        </div>
      </Callout>
    </div>
  );
}
