"use client";

import { useCallback, useEffect, useState, type ReactNode } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { changedPart } from "@/components/form/changed";
import { FormFault } from "@/components/form/form-fault";
import { lazySchema } from "@/components/form/lazy-schema";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm, type Form } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Field, Input } from "@/components/ui/field";
import { Island } from "@/components/ui/island";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Topic, TopicUpdate } from "@/lib/domain/topics/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { BesidePreview, RecipientPreview } from "./recipient-preview";

const schemas = () => import("@/lib/domain/topics/schema");
const topicInput = lazySchema(async () => (await schemas()).topicInput);
const topicUpdate = lazySchema(async () => (await schemas()).topicUpdate);

/** What is being written of a topic, by its id; of a new one by none. */
type Written = Readonly<Record<string, Draft>>;
/** Told what is written; null: it is no longer being written. */
type OnWritten = (id: string, draft: Draft | null) => void;

/** A project's topics: added, renamed and deleted in place. */
export function TopicList({ initial }: { initial: ApiAnswer<"GET /v1/topics"> }) {
  const may = useMay("editor");
  const topics = useRead("GET /v1/topics", {}, { initial, every: 60_000 });
  const [written, setWritten] = useState<Written>({});
  const onWritten = useCallback((id: string, draft: Draft | null) => {
    setWritten(({ [id]: _, ...rest }) => (draft ? { ...rest, [id]: draft } : rest));
  }, []);
  const stored = topics.data.data;
  const seen = {
    topics: [
      ...stored.map(({ id, name, description }) => ({ id, name, description, ...written[id] })),
      ...(written[""] ? [written[""]] : []),
    ].filter(({ name }) => name.trim() !== ""),
  };
  return (
    <BesidePreview preview={<RecipientPreview draft={seen} views={pages} />}>
      <div className="flex max-w-2xl flex-col gap-8">
        <NotUpToDate of={topics} />
        {topics.data.data.length === 0 ? (
          <p className="text-soft">
            {t(
              "No topics yet. With topics, people who are tired of one thing you write about can leave it and keep the rest.",
            )}
          </p>
        ) : (
          <ul aria-label={t("Topics")} className="divide-y border-y">
            {topics.data.data.map((topic) => (
              <TopicRow key={topic.id} topic={topic} may={may} onWritten={onWritten} />
            ))}
          </ul>
        )}
        {may && (
          <Island>
            <AddTopic onWritten={onWritten} />
          </Island>
        )}
      </div>
    </BesidePreview>
  );
}

function TopicRow({ topic, may, onWritten }: { topic: Topic; may: boolean; onWritten: OnWritten }) {
  const [editing, setEditing] = useState(false);
  return (
    <li className="flex flex-col gap-3 py-4">
      {editing ? (
        <EditTopic topic={topic} onEnd={() => setEditing(false)} onWritten={onWritten} />
      ) : (
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">{topic.name}</p>
            {topic.description && <p className="text-sm text-soft">{topic.description}</p>}
            <p className="text-sm text-faint">
              {topic.departures === 0
                ? t("Nobody has left it")
                : t("{departures, plural, one {# person} other {# people}} left it", {
                    departures: topic.departures,
                  })}
            </p>
          </div>
          {may && (
            <div className="flex gap-2">
              <Button
                size="sm"
                onClick={() => setEditing(true)}
                aria-label={t("Edit {name}", { name: topic.name })}
              >
                {t("Edit")}
              </Button>
              <DeleteTopic topic={topic} />
            </div>
          )}
        </div>
      )}
    </li>
  );
}

function DeleteTopic({ topic }: { topic: Topic }) {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="sm"
        aria-label={t("Delete {name}", { name: topic.name })}
        onClick={() => setAsking(true)}
      >
        {t("Delete")}
      </Button>
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t("Delete “{name}”?", { name: topic.name })}
        action={t("Delete topic")}
        run={() => api("DELETE /v1/topics/{id}", { params: { id: topic.id } })}
        done={t("Topic deleted")}
      >
        {topic.departures === 0
          ? t(
              "Nobody has left it. Drafts that carry it keep everything else. This cannot be undone.",
            )
          : t(
              "{departures, plural, one {# person} other {# people}} left it, and that is forgotten: later campaigns about the same thing would reach them again. Drafts that carry it keep everything else. This cannot be undone.",
              { departures: topic.departures },
            )}
      </ConfirmAction>
    </>
  );
}

interface Draft {
  name: string;
  description: string;
}
const draftOf = ({ name, description }: Topic): Draft => ({ name, description });
const labels = phrases({ name: "Name", description: "Description" });

const pages = ["preferences", "unsubscribe"] as const;

/** Says what the form holds for as long as it is open. */
function useWritten(id: string, { name, description }: Draft, onWritten: OnWritten) {
  useEffect(() => {
    onWritten(id, { name, description });
    return () => onWritten(id, null);
  }, [id, name, description, onWritten]);
}

function EditTopic({
  topic,
  onEnd,
  onWritten,
}: {
  topic: Topic;
  onEnd: () => void;
  onWritten: OnWritten;
}) {
  const api = useApi();
  const params = { id: topic.id };
  const [saved, setSaved] = useState(topic);
  const saves = useSaves<Topic, Draft, TopicUpdate>({
    saved,
    onNewer: setSaved,
    draftOf,
    change: (body) => api("PATCH /v1/topics/{id}", { params, body }),
    read: () => api("GET /v1/topics/{id}", { params }),
  });
  const form = useForm({
    initial: draftOf(topic),
    schema: topicUpdate,
    input: (draft, base) => changedPart(base, draft),
    send: saves.save,
    onSent: () => {
      toast.success(t("Topic saved"));
      onEnd();
    },
    onUnchanged: onEnd,
    leaves: true,
  });
  useWritten(topic.id, form.draft, onWritten);
  return (
    <>
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={(field) => labels[field]}
        tell={(draft, field) => draft[field]}
      />
      <TopicForm form={form} action={t("Save")}>
        <Button onClick={onEnd}>{t("Cancel")}</Button>
      </TopicForm>
    </>
  );
}

const nothing = { name: "", description: "" };

function AddTopic({ onWritten }: { onWritten: OnWritten }) {
  const api = useApi();
  const form = useForm({
    initial: nothing,
    schema: topicInput,
    send: (body) => api("POST /v1/topics", { body }),
    onSent: () => {
      form.rebase(nothing);
      toast.success(t("Topic added"));
    },
  });
  useWritten("", form.draft, onWritten);
  return (
    <section aria-labelledby="add-topic" className="flex flex-col gap-3">
      <h2 id="add-topic" className="font-medium">
        {t("Add a topic")}
      </h2>
      <TopicForm form={form} action={t("Add topic")} />
    </section>
  );
}

function TopicForm({
  form,
  action,
  children,
}: {
  form: Form<Draft>;
  /** Label of the button that sends it. */
  action: string;
  /** What stands beside it. */
  children?: ReactNode;
}) {
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <FormFault of={form} />
      <Field
        label={t("Name")}
        name="name"
        hint={t("Your recipients read it on their preference page.")}
        error={form.fault("name")}
      >
        <Input {...form.text("name")} maxLength={100} autoComplete="off" />
      </Field>
      <Field label={t("Description")} name="description" optional error={form.fault("description")}>
        <Input {...form.text("description")} maxLength={300} autoComplete="off" />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" pending={form.pending}>
          {action}
        </Button>
        {children}
      </div>
    </form>
  );
}
