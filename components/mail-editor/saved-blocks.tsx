"use client";

import { Trash2 } from "lucide-react";
import type { Node } from "prosemirror-model";
import { useMemo, useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { ConfirmAction } from "@/components/form/confirm-action";
import { DialogForm } from "@/components/form/dialog-form";
import { FormFault } from "@/components/form/form-fault";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button, IconButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { Field, Input } from "@/components/ui/field";
import { TableSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import {
  savedBlockInput,
  savedBlockUpdate,
  type SavedBlock,
  type SavedBlockUpdate,
} from "@/lib/domain/saved-blocks/schema";
import type { EmailDesign, Theme } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";
import { nodesOf } from "./document";
import { Thumbnail } from "./thumbnail";

/** Asks for the name under which blocks are kept. */
export function SaveBlocks({ blocks, onClose }: { blocks: readonly Node[]; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: { name: "" },
    schema: savedBlockInput,
    input: ({ name }) => ({ name, content: blocks.map((block) => block.toJSON() as object) }),
    places: ["name"],
    guard: false,
    leaves: true,
    send: (body) => api("POST /v1/saved-blocks", { body }),
    onSent: () => {
      toast.success(t("Saved for other emails"));
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Save for other emails")}
      description={
        blocks.length === 1
          ? t("It is then among the saved blocks of this project, for everybody.")
          : t(
              "The {blocks} chosen blocks are then among the saved blocks of this project, for everybody.",
              { blocks: blocks.length },
            )
      }
      action={t("Save")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Name")} name="name" error={form.fault("name")}>
        <Input
          {...form.text("name")}
          autoFocus
          maxLength={100}
          autoComplete="off"
          placeholder={t("Header with logo")}
        />
      </Field>
    </DialogForm>
  );
}

interface Inserting {
  /** Of this email: they are shown as they would look in it. */
  theme: Theme;
  onInsert: (blocks: readonly Node[]) => void;
}

/** The project's saved blocks: put into this email, renamed and deleted. */
export function SavedBlocks({ onClose, ...rest }: Inserting & { onClose: () => void }) {
  const list = useRead("GET /v1/saved-blocks", {});
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t("Saved blocks")}
      description={t(
        "Each email gets a copy: what is changed in one leaves the others as they are.",
      )}
    >
      {list.isError ? (
        <ErrorState
          message={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      ) : !list.data ? (
        <TableSkeleton rows={3} columns={2} />
      ) : list.data.data.length === 0 ? (
        <p className="text-sm text-soft">
          {t(
            "Nothing is saved yet. Choose a block on the page, such as your header or your signature, and press “Save for other emails” beside it.",
          )}
        </p>
      ) : (
        <SavedList all={list.data.data} {...rest} />
      )}
    </Dialog>
  );
}

/** As many are seen without scrolling. */
const seenAtOnce = 4;

function SavedList({ all, ...rest }: Inserting & { all: readonly SavedBlock[] }) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = all.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <div className="flex flex-col gap-4">
      {all.length > seenAtOnce && (
        <Field label={t("Search by name")} labelHidden>
          <Input
            type="search"
            autoComplete="off"
            placeholder={t("Search by name")}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </Field>
      )}
      {shown.length === 0 && (
        <p className="text-sm text-soft">{t("No saved block has this name.")}</p>
      )}
      <ul
        aria-label={t("Saved blocks")}
        className="grid max-h-[60vh] grid-cols-1 gap-4 overflow-y-auto p-0.5 empty:hidden sm:grid-cols-2"
      >
        {shown.map((saved) => (
          <SavedItem key={saved.id} saved={saved} {...rest} />
        ))}
      </ul>
    </div>
  );
}

function SavedItem({ saved, theme, onInsert }: Inserting & { saved: SavedBlock }) {
  const api = useApi();
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const nodes = useMemo(() => nodesOf(saved.content), [saved.content]);
  const design = useMemo(
    () => ({ type: "doc", attrs: { theme }, content: saved.content }) as unknown as EmailDesign,
    [saved.content, theme],
  );
  return (
    <li className="rounded-md border border-control bg-sheet">
      {nodes && <Thumbnail design={design} />}
      <div className="flex flex-col gap-2 p-3">
        {renaming ? (
          <Rename block={saved} onEnd={() => setRenaming(false)} />
        ) : (
          <>
            <p className="text-sm font-medium wrap-anywhere">{saved.name}</p>
            {!nodes && (
              <p className="text-xs text-soft">
                {t("Made with a newer version: it cannot be shown.")}
              </p>
            )}
            <div className="flex flex-wrap gap-1.5">
              <Button
                size="sm"
                variant="primary"
                disabled={!nodes}
                aria-label={t("Insert {name}", { name: saved.name })}
                onClick={() => nodes && onInsert(nodes)}
              >
                {t("Insert")}
              </Button>
              <Button
                size="sm"
                variant="ghost"
                aria-label={t("Rename {name}", { name: saved.name })}
                onClick={() => setRenaming(true)}
              >
                {t("Rename")}
              </Button>
              <IconButton
                size="sm"
                className="ml-auto"
                label={t("Delete {name}", { name: saved.name })}
                onClick={() => setDeleting(true)}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </div>
          </>
        )}
      </div>
      <ConfirmAction
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t("Delete “{name}”?", { name: saved.name })}
        action={t("Delete saved block")}
        run={() => api("DELETE /v1/saved-blocks/{id}", { params: { id: saved.id } })}
        undo={() => api("POST /v1/saved-blocks/{id}/restore", { params: { id: saved.id } })}
        done={t("Saved block deleted")}
      >
        {t("Emails that it was put into keep it.")}
      </ConfirmAction>
    </li>
  );
}

interface Draft {
  name: string;
}
const draftOf = ({ name }: SavedBlock): Draft => ({ name });

function Rename({ block, onEnd }: { block: SavedBlock; onEnd: () => void }) {
  const api = useApi();
  const params = { id: block.id };
  const [saved, setSaved] = useState(block);
  const saves = useSaves<SavedBlock, Draft, SavedBlockUpdate>({
    saved,
    onNewer: setSaved,
    draftOf,
    change: (body) => api("PATCH /v1/saved-blocks/{id}", { params, body }),
    read: async () => {
      const { data } = await api("GET /v1/saved-blocks", {});
      return data.find(({ id }) => id === block.id) ?? block;
    },
  });
  const form = useForm({
    initial: draftOf(block),
    schema: savedBlockUpdate,
    guard: false,
    send: saves.save,
    onSent: onEnd,
    onUnchanged: onEnd,
  });
  return (
    <form {...form.props} className="flex flex-col gap-2">
      <FormFault of={form} />
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={() => t("Name")}
        tell={({ name }) => name}
      />
      <Field label={t("Name")} name="name" error={form.fault("name")}>
        <Input {...form.text("name")} autoFocus maxLength={100} autoComplete="off" />
      </Field>
      <div className="flex gap-2">
        <Button size="sm" type="submit" variant="primary" pending={form.pending}>
          {t("Rename")}
        </Button>
        <Button size="sm" onClick={onEnd}>
          {t("Cancel")}
        </Button>
      </div>
    </form>
  );
}
