"use client";

import { MailCheck } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { t } from "@/lib/ground/texts/t";
import type { Tested } from "./test-dialog";

const TestDialog = deferredDialog(() =>
  import("./test-dialog").then((module) => module.TestDialog),
);

/** The button that sends a test of what is written. */
export function SendTest(tested: Tested) {
  const [open, setOpen] = useState(false);
  const may = useMay("editor");
  useLoaded(TestDialog, may);
  if (!may) return null;
  return (
    <>
      <Button
        disabled={tested.content.body === "" && tested.content.design === null}
        onClick={() => setOpen(true)}
      >
        <MailCheck aria-hidden /> {t("Send a test")}
      </Button>
      {open && <TestDialog {...tested} onClose={() => setOpen(false)} />}
    </>
  );
}
