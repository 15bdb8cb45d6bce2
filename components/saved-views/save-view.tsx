"use client";

import { Bookmark } from "lucide-react";
import { useState } from "react";
import { useRead } from "@/components/api/use-read";
import { isSameView } from "@/components/list-page/filters";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import type { SavedViewPage } from "@/db/enums";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";

const SaveViewDialog = deferredDialog(() =>
  import("./save-view-dialog").then((module) => module.SaveViewDialog),
);

/** Keeps the filters and the order of a list page under a name; nothing while there are none, or they are kept. */
export function SaveView({
  page,
  query,
  initial,
}: {
  page: SavedViewPage;
  query: Readonly<Record<string, unknown>>;
  initial: SavedViewList;
}) {
  const views = useRead("GET /v1/views", { query: { page } }, { initial, every: 60_000 });
  const [asked, setAsked] = useState(false);
  useLoaded(SaveViewDialog);
  const isKept = views.data.data.some((view) => isSameView(view.query, query));
  // While it is open, the dialog stays although its view is among the saved ones already.
  if (!asked && (isKept || isSameView({}, query))) return null;
  return (
    <>
      <Button variant="ghost" onClick={() => setAsked(true)}>
        <Bookmark aria-hidden /> {t("Save view")}
      </Button>
      {asked && <SaveViewDialog page={page} query={query} onClose={() => setAsked(false)} />}
    </>
  );
}
