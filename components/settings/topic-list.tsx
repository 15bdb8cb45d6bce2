"use client";

import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { people } from "@/components/ui/numbers";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Topic } from "@/lib/domain/topics/schema";

/** The topics of a project: added, renamed and deleted where they stand. */
export function TopicList({ initial }: { initial: ApiAnswer<"GET /v1/topics"> }) {
  const may = useMay("editor");
  const topics = useRead("GET /v1/topics", {}, { initial });
  return (
    <div className="flex max-w-2xl flex-col gap-8">
      {topics.data.data.length === 0 ? (
        <p className="text-soft">
          No topics yet. With topics, people who are tired of one thing you write about can leave it
          and keep the rest.
        </p>
      ) : (
        <ul aria-label="Topics" className="divide-y border-y">
          {topics.data.data.map((topic) => (
            <TopicRow key={`${topic.id} ${topic.updatedAt}`} topic={topic} may={may} />
          ))}
        </ul>
      )}
      {may && <AddTopic />}
    </div>
  );
}

function TopicRow({ topic, may }: { topic: Topic; may: boolean }) {
  const api = useApi();
  const [editing, setEditing] = useState(false);
  const [asking, setAsking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const params = { id: topic.id };
  const run = (work: () => Promise<unknown>, done: string) => {
    work().then(
      () => {
        setEditing(false);
        setFault(null);
        toast.success(done);
      },
      (error: unknown) => setFault(messageOf(error)),
    );
  };
  return (
    <li className="flex flex-col gap-3 py-4">
      {fault && (
        <Callout kind="danger" alert>
          {fault}
        </Callout>
      )}
      {editing ? (
        <TopicForm
          topic={topic}
          label="Save"
          onSubmit={(body) =>
            run(() => api("PATCH /v1/topics/{id}", { params, body }), "Topic saved")
          }
        />
      ) : (
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">{topic.name}</p>
            {topic.description && <p className="text-sm text-soft">{topic.description}</p>}
            <p className="text-sm text-faint">
              {topic.departures === 0
                ? "Nobody has left it"
                : `${people(topic.departures)} left it`}
            </p>
          </div>
          {may && (
            <div className="flex gap-2">
              <Button size="sm" onClick={() => setEditing(true)} aria-label={`Edit ${topic.name}`}>
                Edit
              </Button>
              <Button
                size="sm"
                variant="danger"
                aria-label={`Delete ${topic.name}`}
                onClick={() => setAsking(true)}
              >
                Delete
              </Button>
              <ConfirmDialog
                open={asking}
                onOpenChange={setAsking}
                title={`Delete “${topic.name}”?`}
                action="Delete topic"
                onConfirm={() => {
                  setAsking(false);
                  run(() => api("DELETE /v1/topics/{id}", { params }), "Topic deleted");
                }}
              >
                {topic.departures === 0
                  ? "Nobody has left it. "
                  : `${people(topic.departures)} left it, and that is forgotten: later campaigns about the same thing would reach them again. `}
                Drafts that carry it keep everything else. This cannot be undone.
              </ConfirmDialog>
            </div>
          )}
        </div>
      )}
    </li>
  );
}

function AddTopic() {
  const api = useApi();
  const [round, setRound] = useState(0);
  const [fault, setFault] = useState<string | null>(null);
  return (
    <section aria-labelledby="add-topic" className="flex flex-col gap-3">
      <h2 id="add-topic" className="font-medium">
        Add a topic
      </h2>
      {fault && (
        <Callout kind="danger" alert>
          {fault}
        </Callout>
      )}
      <TopicForm
        key={round}
        label="Add topic"
        onSubmit={(body) => {
          api("POST /v1/topics", { body }).then(
            () => {
              setFault(null);
              setRound(round + 1);
              toast.success("Topic added");
            },
            (error: unknown) => setFault(messageOf(error)),
          );
        }}
      />
    </section>
  );
}

function TopicForm({
  topic,
  label,
  onSubmit,
}: {
  topic?: Topic;
  label: string;
  onSubmit: (body: { name: string; description: string }) => void;
}) {
  const [name, setName] = useState(topic?.name ?? "");
  const [description, setDescription] = useState(topic?.description ?? "");
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ name, description });
      }}
    >
      <Field label="Name" name="name" hint="Your recipients read it on their preference page.">
        <Input
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <Field label="Description" name="description" optional>
        <Input
          value={description}
          maxLength={300}
          autoComplete="off"
          onChange={({ target }) => setDescription(target.value)}
        />
      </Field>
      <div>
        <Button type="submit" variant="primary">
          {label}
        </Button>
      </div>
    </form>
  );
}
