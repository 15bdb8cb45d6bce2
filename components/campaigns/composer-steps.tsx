"use client";

import Link from "next/link";
import { useProjectPath } from "@/components/api/project-context";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { SuggestInput } from "@/components/ui/suggest-input";
import { Switch } from "@/components/ui/toggle";
import { link, type ComposerOptions } from "./composer-parts";
import type { Draft, TrackingChoice } from "./draft";
import type { Jump } from "./jump";

export interface StepProps {
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  fault: (path: string) => string | null;
  options: ComposerOptions;
  /** The place somebody asked to be taken to; null: none. */
  jump: Jump | null;
}

/** Whom a campaign can go to. */
export const audienceKinds = [
  {
    value: "everybody",
    label: "Everybody subscribed",
    hint: "Every subscribed contact.",
  },
  { value: "segment", label: "A segment", hint: "Subscribed contacts who match its conditions." },
  { value: "list", label: "A list", hint: "Subscribed contacts who are on it." },
] as const;

/** A choice among things, none of which is chosen yet. */
export const withPrompt = (
  label: string,
  things: readonly { id: string; name: string }[],
): { value: string; label: string }[] => [
  { value: "", label },
  ...things.map(({ id, name }) => ({ value: id, label: name })),
];

export function AudienceStep({ draft, set, fault, options }: StepProps) {
  const path = useProjectPath();
  return (
    <>
      <ChoiceCards
        label="Who gets it?"
        options={audienceKinds}
        value={draft.audience}
        onChange={(audience) => set({ audience })}
      />
      {draft.audience === "segment" && (
        <Field
          label="Segment"
          error={fault("segmentId")}
          hint={
            <>
              Everybody who matches when sending starts is included.{" "}
              <Link className={link} href={path("segments/new")}>
                Create a segment
              </Link>
            </>
          }
        >
          <Select
            options={withPrompt("Choose a segment", options.segments)}
            value={draft.segmentId}
            onChange={(segmentId) => set({ segmentId })}
          />
        </Field>
      )}
      {draft.audience === "list" && (
        <Field label="List" error={fault("listId")}>
          <Select
            options={withPrompt("Choose a list", options.lists)}
            value={draft.listId}
            onChange={(listId) => set({ listId })}
          />
        </Field>
      )}
      <Field
        label="Topic"
        optional
        error={fault("topicId")}
        hint={
          <>
            People can leave one topic instead of unsubscribing from everything.{" "}
            <Link className={link} href={path("settings/topics")}>
              Manage topics
            </Link>
          </>
        }
      >
        <Select
          options={[
            { value: "", label: "No topic" },
            ...options.topics.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={draft.topicId}
          onChange={(topicId) => set({ topicId })}
        />
      </Field>
    </>
  );
}

export function SenderStep({ draft, set, fault, options }: StepProps) {
  const path = useProjectPath();
  const local = draft.from.split("@")[0]?.trim() ?? "";
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Sender name" name="fromName" optional error={fault("fromName")}>
          <Input
            value={draft.fromName}
            autoComplete="off"
            maxLength={200}
            placeholder="Example"
            onChange={({ target }) => set({ fromName: target.value })}
          />
        </Field>
        <Field
          label="Sender address"
          name="from"
          error={fault("from")}
          hint={
            options.domains.length > 0 ? (
              `Verified: ${options.domains.slice(0, 3).join(", ")}`
            ) : (
              <>
                No domain is verified yet.{" "}
                <Link className={link} href={path("domains")}>
                  Add one
                </Link>
              </>
            )
          }
        >
          <SuggestInput
            value={draft.from}
            onChange={(from) => set({ from })}
            placeholder={`news@${options.domains[0] ?? "example.com"}`}
            suggestions={options.domains.flatMap((domain) =>
              (local ? [local] : ["news", "hello"]).map((name) => `${name}@${domain}`),
            )}
          />
        </Field>
      </div>
      <Field
        label="Reply to"
        optional
        error={fault("replyTo")}
        hint="Where replies go, if not to the sender."
      >
        <Input
          value={draft.replyTo}
          autoComplete="off"
          inputMode="email"
          onChange={({ target }) => set({ replyTo: target.value })}
        />
      </Field>
    </>
  );
}

export function SubjectStep({ draft, set, fault }: StepProps) {
  return (
    <>
      <Field
        label="Subject"
        name="subject"
        error={fault("subject")}
        hint="You can use placeholders: {{ firstName | default: 'you' }}"
      >
        <Input
          value={draft.subject}
          autoComplete="off"
          onChange={({ target }) => set({ subject: target.value })}
        />
      </Field>
      <Field
        label="Preview text"
        name="previewText"
        optional
        error={fault("previewText")}
        hint="Shown next to the subject in the inbox, instead of the first words of the email."
      >
        <Input
          value={draft.previewText}
          autoComplete="off"
          maxLength={500}
          onChange={({ target }) => set({ previewText: target.value })}
        />
      </Field>
    </>
  );
}

const choices: readonly { value: TrackingChoice; label: string }[] = [
  { value: "domain", label: "Domain default" },
  { value: "on", label: "Yes" },
  { value: "off", label: "No" },
];

export function TrackingStep({ draft, set, fault }: StepProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Count opens">
          <Select options={choices} value={draft.opens} onChange={(opens) => set({ opens })} />
        </Field>
        <Field label="Count clicks">
          <Select options={choices} value={draft.clicks} onChange={(clicks) => set({ clicks })} />
        </Field>
      </div>
      <Switch
        label="Add UTM parameters to links"
        hint="So that your web analytics can tell which visits came from this campaign."
        checked={draft.utm}
        onChange={(utm) => set({ utm })}
      />
      {draft.utm && (
        <div className="grid gap-4 sm:grid-cols-3">
          {(
            [
              ["utmSource", "Source", "utm.source"],
              ["utmMedium", "Medium", "utm.medium"],
              ["utmCampaign", "Campaign", "utm.campaign"],
            ] as const
          ).map(([name, label, path]) => (
            <Field key={name} label={label} error={fault(path)}>
              <Input
                value={draft[name]}
                autoComplete="off"
                maxLength={200}
                onChange={({ target }) => set({ [name]: target.value })}
              />
            </Field>
          ))}
        </div>
      )}
    </>
  );
}
