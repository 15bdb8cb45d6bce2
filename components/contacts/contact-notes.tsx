"use client";

import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { ConfirmAction } from "@/components/form/confirm-action";
import { DialogForm } from "@/components/form/dialog-form";
import { FormFault } from "@/components/form/form-fault";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { Field, Textarea } from "@/components/ui/field";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import {
  noteInput,
  noteUpdate,
  type ContactNote,
  type NoteUpdate,
} from "@/lib/domain/contact-story/schema";

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
    <Section title="Notes" description="For your team only; the person does not see them.">
      <NotUpToDate of={reading} title="This list is out of date" />
      {may && <AddNote contactId={contactId} />}
      {!reading.data ? (
        <TableSkeleton rows={1} columns={1} />
      ) : (
        <ul aria-label="Notes" className="grid gap-4">
          {reading.data.data.map((note) => (
            <Note key={note.id} note={note} contactId={contactId} />
          ))}
        </ul>
      )}
      {reading.data?.nextCursor !== undefined &&
        (limit < 100 ? (
          <Button size="sm" className="mt-3" onClick={() => setLimit(100)}>
            Show more
          </Button>
        ) : (
          <p className="mt-3 text-sm text-soft">Earlier notes can be read through the API.</p>
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
    <form aria-label="Add a note" {...form.props} className="mb-5 flex flex-col items-start gap-2">
      <FormFault of={form} />
      <div className="w-full">
        <Field label="New note" name="text" error={form.fault("text")}>
          <Textarea rows={2} {...form.text("text")} />
        </Field>
      </div>
      <Button type="submit" size="sm" disabled={!form.dirty} pending={form.pending}>
        Add note
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
  return (
    <li className="text-sm">
      <p className="wrap-anywhere whitespace-pre-wrap">{note.text}</p>
      <div className="flex flex-wrap items-center gap-x-1 text-xs text-faint">
        <span className="mr-1">
          {note.author.name ?? (note.author.type === "user" ? "a deleted user" : "a deleted key")}
          {", "}
          <RelativeTime value={note.createdAt} />
          {note.updatedAt !== note.createdAt && ", edited"}
        </span>
        {may && note.own && (
          <Button size="sm" variant="ghost" onClick={() => setOpen("edit")}>
            Edit
          </Button>
        )}
        {may && (note.own || isAdmin) && (
          <Button size="sm" variant="ghost" onClick={() => setOpen("delete")}>
            Delete
          </Button>
        )}
      </div>
      {open === "edit" && <EditNote note={note} contactId={contactId} onClose={close} />}
      <ConfirmAction
        open={open === "delete"}
        onClose={close}
        title="Delete this note?"
        action="Delete note"
        run={() => api("DELETE /v1/contacts/{id}/notes/{noteId}", { params })}
        done="The note was deleted"
      >
        It is gone for everybody.
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
      toast.success("Saved");
      onClose();
    },
  });
  return (
    <DialogForm title="Edit the note" action="Save" onClose={onClose} form={form}>
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={() => "Note"}
        tell={({ text }) => text}
      />
      <Field label="Note" name="text" error={form.fault("text")}>
        <Textarea rows={5} {...form.text("text")} />
      </Field>
    </DialogForm>
  );
}
