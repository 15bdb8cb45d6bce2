"use client";

import { useProjectPath } from "@/components/api/project-context";
import { SenderAddress } from "@/components/domains/sender-address";
import { NamedSelect } from "@/components/named/named-select";
import { PersonalField } from "@/components/source-editor/personal-field";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { Link, textLink } from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";
import type { ComposerOptions } from "./composer-parts";
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
export const audienceKinds = phrases([
  {
    value: "everybody",
    label: "Everybody subscribed",
    hint: "Every subscribed contact.",
  },
  { value: "segment", label: "A segment", hint: "Subscribed contacts who match its conditions." },
  { value: "list", label: "A list", hint: "Subscribed contacts who are on it." },
]);

export function AudienceStep({ draft, set, fault, options }: StepProps) {
  const path = useProjectPath();
  return (
    <>
      <ChoiceCards
        label={t("Who gets it?")}
        options={audienceKinds}
        value={draft.audience}
        onChange={(audience) => set({ audience })}
      />
      {draft.audience === "segment" && (
        <Field
          label={t("Segment")}
          error={fault("segmentId")}
          hint={rich(
            "Everybody who matches when sending starts is included. <link>Create a segment</link>",
            {
              link: (words) => (
                <Link className={textLink} href={path("segments/new")}>
                  {words}
                </Link>
              ),
            },
          )}
        >
          <NamedSelect
            of="segment"
            none={t("Choose a segment")}
            known={options.segments}
            value={draft.segmentId}
            onChange={(segmentId) => set({ segmentId })}
          />
        </Field>
      )}
      {draft.audience === "list" && (
        <Field label={t("List")} error={fault("listId")}>
          <NamedSelect
            of="list"
            none={t("Choose a list")}
            known={options.lists}
            value={draft.listId}
            onChange={(listId) => set({ listId })}
          />
        </Field>
      )}
      <Field
        label={t("Topic")}
        optional
        error={fault("topicId")}
        hint={rich(
          "People can leave one topic instead of unsubscribing from everything. <link>Manage topics</link>",
          {
            link: (words) => (
              <Link className={textLink} href={path("settings/topics")}>
                {words}
              </Link>
            ),
          },
        )}
      >
        <Select
          options={[
            { value: "", label: t("No topic") },
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
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("Sender name")} name="fromName" optional error={fault("fromName")}>
          <Input
            value={draft.fromName}
            autoComplete="off"
            maxLength={200}
            placeholder={t("Example")}
            onChange={({ target }) => set({ fromName: target.value })}
          />
        </Field>
        <SenderAddress
          value={draft.from}
          onChange={(from) => set({ from })}
          error={fault("from")}
          domains={options.domains}
          example="news"
        />
      </div>
      <Field
        label={t("Reply to")}
        optional
        error={fault("replyTo")}
        hint={t("Where replies go, if not to the sender.")}
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
      <PersonalField
        label={t("Subject")}
        name="subject"
        error={fault("subject")}
        hint={t("You can use placeholders: {{ firstName | default: 'you' }}")}
        input={{
          value: draft.subject,
          onChange: ({ target }) => set({ subject: target.value }),
        }}
      />
      <PersonalField
        label={t("Preview text")}
        name="previewText"
        optional
        error={fault("previewText")}
        hint={t("Shown next to the subject in the inbox, instead of the first words of the email.")}
        input={{
          value: draft.previewText,
          maxLength: 500,
          onChange: ({ target }) => set({ previewText: target.value }),
        }}
      />
    </>
  );
}

const choices: readonly { value: TrackingChoice; label: string }[] = phrases([
  { value: "domain", label: "Domain default" },
  { value: "on", label: "Yes" },
  { value: "off", label: "No" },
]);

export function TrackingStep({ draft, set, fault }: StepProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("Count opens")}>
          <Select options={choices} value={draft.opens} onChange={(opens) => set({ opens })} />
        </Field>
        <Field label={t("Count clicks")}>
          <Select options={choices} value={draft.clicks} onChange={(clicks) => set({ clicks })} />
        </Field>
      </div>
      <Switch
        label={t("Add UTM parameters to links")}
        hint={t("So that your web analytics can tell which visits came from this campaign.")}
        checked={draft.utm}
        onChange={(utm) => set({ utm })}
      />
      {draft.utm && (
        <div className="grid gap-4 sm:grid-cols-3">
          {(
            [
              ["utmSource", t("Source"), "utm.source"],
              ["utmMedium", t("Medium"), "utm.medium"],
              ["utmCampaign", t("Campaign"), "utm.campaign"],
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
