"use client";

import { Bookmark } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { isSameView, viewOf } from "@/components/list-page/filters";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { SavedViewPage } from "@/db/enums";
import {
  longestViewName,
  savedViewInput,
  type SavedViewList,
} from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";

type Query = Readonly<Record<string, unknown>>;

/** Keeps the filters and the order of a list page under a name; nothing while there are none, or they are kept. */
export function SaveView({
  page,
  query,
  initial,
}: {
  page: SavedViewPage;
  query: Query;
  initial: SavedViewList;
}) {
  const views = useRead("GET /v1/views", { query: { page } }, { initial, every: 60_000 });
  const [asked, setAsked] = useState(false);
  const isKept = views.data.data.some((view) => isSameView(view.query, query));
  // While it is open, the dialog stays although its view is among the saved ones already.
  if (!asked && (isKept || isSameView({}, query))) return null;
  return (
    <>
      <Button variant="ghost" onClick={() => setAsked(true)}>
        <Bookmark aria-hidden /> {t("Save view")}
      </Button>
      {asked && <SaveDialog page={page} query={query} onClose={() => setAsked(false)} />}
    </>
  );
}

function SaveDialog({
  page,
  query,
  onClose,
}: {
  page: SavedViewPage;
  query: Query;
  onClose: () => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: { name: "" },
    schema: savedViewInput,
    input: ({ name }) => ({ page, name, query: viewOf(query) }),
    send: (body) => api("POST /v1/views", { body }),
    onSent: ({ name }) => {
      toast.success(t("View “{name}” saved", { name }));
      onClose();
    },
    leaves: true,
  });
  return (
    <DialogForm
      title={t("Save this view")}
      description={t(
        "Its filters and its order are one press away above the list. Only you see it.",
      )}
      action={t("Save view")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Name")} name="name" error={form.fault("name")}>
        <Input {...form.text("name")} maxLength={longestViewName} autoComplete="off" />
      </Field>
    </DialogForm>
  );
}
