"use client";

import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { isSameView, pageHref } from "@/components/list-page/filters";
import { IconButton } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem } from "@/components/ui/menu";
import { subPageClass, useCurrentInView } from "@/components/ui/sub-pages";
import { toast } from "@/components/ui/toast";
import type { SavedViewPage } from "@/db/enums";
import type { SavedView, SavedViewList } from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";

const RenameView = deferredDialog(() =>
  import("./rename-view").then((module) => module.RenameView),
);

/** The views of a list page that the reader has saved, side by side; nothing while there are none. */
export function SavedViews({
  page,
  at = page,
  query,
  initial,
}: {
  page: SavedViewPage;
  /** Where the page is below the project, if that is not its name: `lists/lst_…`. */
  at?: string;
  query: Readonly<Record<string, unknown>>;
  initial: SavedViewList;
}) {
  const path = useProjectPath();
  const views = useRead("GET /v1/views", { query: { page } }, { initial, every: 60_000 });
  const current = views.data.data.find((view) => isSameView(view.query, query));
  const row = useCurrentInView(current?.id);
  if (views.data.data.length === 0) return null;
  const isAll = isSameView({}, query);
  return (
    <nav
      ref={row}
      aria-label={t("Saved views")}
      className="relative mb-5 flex items-center gap-5 overflow-x-auto border-b"
    >
      <Link
        href={path(at)}
        aria-current={isAll ? "page" : undefined}
        className={subPageClass(isAll)}
      >
        {t("All")}
      </Link>
      {views.data.data.map((view) => (
        <span key={view.id} className="flex shrink-0 items-center">
          <Link
            href={pageHref(path(at), view.query)}
            aria-current={view === current ? "page" : undefined}
            className={subPageClass(view === current)}
          >
            {view.name}
          </Link>
          {view === current && <ViewMenu view={view} />}
        </span>
      ))}
    </nav>
  );
}

/** What can be done with a saved view. */
function ViewMenu({ view }: { view: SavedView }) {
  const api = useApi();
  const [renaming, setRenaming] = useState(false);
  useLoaded(RenameView);
  const { page, name, query } = view;
  const restore = useAction({
    mutationFn: () => api("POST /v1/views", { body: { page, name, query } }),
    leaves: true,
    onError: (error) => toast.error(t("It was not saved again"), { description: messageOf(error) }),
  });
  const remove = useAction({
    mutationFn: () => api("DELETE /v1/views/{id}", { params: { id: view.id } }),
    leaves: true,
    onSuccess: () =>
      toast.success(t("View “{name}” deleted", { name }), {
        action: { label: t("Undo"), run: () => restore.mutate() },
      }),
    onError: (error) => toast.error(t("Nothing was deleted"), { description: messageOf(error) }),
  });
  return (
    <>
      <Menu
        align="start"
        trigger={
          <IconButton label={t("Rename or delete the view {name}", { name })} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={() => setRenaming(true)}>
          <Pencil aria-hidden /> {t("Rename")}
        </MenuItem>
        <MenuItem danger onClick={() => remove.mutate()}>
          <Trash2 aria-hidden /> {t("Delete")}
        </MenuItem>
      </Menu>
      {renaming && <RenameView view={view} onClose={() => setRenaming(false)} />}
    </>
  );
}
