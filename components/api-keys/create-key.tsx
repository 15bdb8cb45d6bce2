"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import type { ApiKeyCreated } from "@/lib/domain/api-keys/schema";
import { t } from "@/lib/ground/texts/t";
import { NewKeyDialog } from "./new-key";

const CreateKeyDialog = deferredDialog(() =>
  import("./create-key-dialog").then((module) => module.CreateKeyDialog),
);

/** The button that creates a key and shows it once. Renders nothing for those who may not. */
export function CreateKey({
  again = false,
}: {
  /** The page’s header has this button, too, and answers its address. */
  again?: boolean;
}) {
  const [open, setOpen] = useNewDialog(!again);
  const may = useMay("admin");
  useLoaded(CreateKeyDialog, may);
  const [created, setCreated] = useState<ApiKeyCreated | null>(null);
  if (!may) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("Create key")}
      </Button>
      {open && (
        <CreateKeyDialog
          onClose={() => setOpen(false)}
          onCreated={(key) => {
            setOpen(false);
            setCreated(key);
          }}
        />
      )}
      {created && <NewKeyDialog created={created} onClose={() => setCreated(null)} />}
    </>
  );
}
