"use client";

import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { ConfirmAction } from "@/components/form/confirm-action";
import { DialogForm } from "@/components/form/dialog-form";
import { FormFault } from "@/components/form/form-fault";
import { Unsettled } from "@/components/form/unsaved-changes";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { Field, Textarea } from "@/components/ui/field";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { rich } from "@/components/ui/rich";
import { TableSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { ContactNote, NoteUpdate } from "@/lib/domain/contact-story/schema";
import { t } from "@/lib/ground/texts/t";

const schemas = () => import("@/lib/domain/contact-story/schema");
const noteInput = lazySchema(async () => (await schemas()).noteInput);
const noteUpdate = lazySchema(async () => (await schemas()).noteUpdate);

/** What members have noted about a person. */
export function ContactNotes({ contactId }: { contactId: string }) {
  const may = useMay("editor");
  const [limit, setLimit] = useState(10);
  const reading = useRead(
    "GET /v1/contacts/{id}/notes",
    { params: { id: contactId }, query: { limit } },
    { every: 60_000 },
  );
  return (
    <Section
      title={t("Notes")}
      description={t("For your team only; the person does not see them.")}
    >
      <NotUpToDate of={reading} title={t("This list is out of date")} />
      {may && <AddNote contactId={contactId} />}
      {!reading.data ? (
        <TableSkeleton rows={1} columns={1} />
      ) : (
        <ul aria-label={t("Notes")} className="grid gap-4">
          {reading.data.data.map((note) => (
            <Note key={note.id} note={note} contactId={contactId} />
          ))}
        </ul>
      )}
      {reading.data?.nextCursor !== undefined &&
        (limit < 100 ? (
          <Button size="sm" className="mt-3" onClick={() => setLimit(100)}>
            {t("Show more")}
          </Button>
        ) : (
          <p className="mt-3 text-sm text-soft">
            {t("Earlier notes can be read through the API.")}
          </p>
        ))}
    </Section>
  );
}

function AddNote({ contactId }: { contactId: string }) {
  const api = useApi();
  const form = useForm({
    initial: { text: "" },
    schema: noteInput,
    send: (body) => api("POST /v1/contacts/{id}/notes", { params: { id: contactId }, body }),
    onSent: () => {
      form.rebase({ text: "" });
      form.set({ text: "" });
    },
  });
  return (
    <form
      aria-label={t("Add a note")}
      {...form.props}
      className="mb-5 flex flex-col items-start gap-2"
    >
      <FormFault of={form} />
      <div className="w-full">
        <Field label={t("New note")} name="text" error={form.fault("text")}>
          <Textarea rows={2} {...form.text("text")} />
        </Field>
      </div>
      <Button type="submit" size="sm" disabled={!form.dirty} pending={form.pending}>
        {t("Add note")}
      </Button>
    </form>
  );
}

function Note({ note, contactId }: { note: ContactNote; contactId: string }) {
  const api = useApi();
  const may = useMay("editor");
  const isAdmin = useMay("admin");
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const params = { id: contactId, noteId: note.id };
  const close = () => setOpen(null);
  const author =
    note.author.name ?? (note.author.type === "user" ? t("a deleted user") : t("a deleted key"));
  const time = <RelativeTime value={note.createdAt} />;
  return (
    <li className="text-sm">
      <p className="wrap-anywhere whitespace-pre-wrap">{note.text}</p>
      <div className="flex flex-wrap items-center gap-x-1 text-xs text-faint">
        <span className="mr-1">
          {note.updatedAt === note.createdAt
            ? rich("{author}, {time}", { author, time })
            : rich("{author}, {time}, edited", { author, time })}
        </span>
        {may && note.own && (
          <Button size="sm" variant="ghost" onClick={() => setOpen("edit")}>
            {t("Edit")}
          </Button>
        )}
        {may && (note.own || isAdmin) && (
          <Button size="sm" variant="ghost" onClick={() => setOpen("delete")}>
            {t("Delete")}
          </Button>
        )}
      </div>
      {open === "edit" && <EditNote note={note} contactId={contactId} onClose={close} />}
      <ConfirmAction
        open={open === "delete"}
        onClose={close}
        title={t("Delete this note?")}
        action={t("Delete note")}
        run={() => api("DELETE /v1/contacts/{id}/notes/{noteId}", { params })}
        done={t("The note was deleted")}
      >
        {t("It is gone for everybody.")}
      </ConfirmAction>
    </li>
  );
}

interface Draft {
  text: string;
}
const draftOf = ({ text }: ContactNote): Draft => ({ text });

function EditNote({
  note,
  contactId,
  onClose,
}: {
  note: ContactNote;
  contactId: string;
  onClose: () => void;
}) {
  const api = useApi();
  const params = { id: contactId, noteId: note.id };
  const [saved, setSaved] = useState(note);
  const saves = useSaves<ContactNote, Draft, NoteUpdate>({
    saved,
    onNewer: setSaved,
    draftOf,
    change: (body) => api("PATCH /v1/contacts/{id}/notes/{noteId}", { params, body }),
    read: async () => {
      const query = { limit: 100 };
      const { data } = await api("GET /v1/contacts/{id}/notes", {
        params: { id: contactId },
        query,
      });
      return data.find(({ id }) => id === note.id) ?? note;
    },
  });
  const form = useForm({
    initial: draftOf(note),
    schema: noteUpdate,
    leaves: true,
    send: saves.save,
    onUnchanged: onClose,
    onSent: () => {
      toast.success(t("Saved"));
      onClose();
    },
  });
  return (
    <DialogForm title={t("Edit the note")} action={t("Save")} onClose={onClose} form={form}>
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={() => t("Note")}
        tell={({ text }) => text}
      />
      <Field label={t("Note")} name="text" error={form.fault("text")}>
        <Textarea rows={5} {...form.text("text")} />
      </Field>
    </DialogForm>
  );
}
