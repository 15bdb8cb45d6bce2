"use client";

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Menu, MenuGroup, MenuItem } from "@/components/ui/menu";
import { SuggestInput } from "@/components/ui/suggest-input";
import { Checkbox } from "@/components/ui/checkbox";
import type { FormQuestion } from "@/lib/domain/forms/schema";
import { mostQuestions } from "@/lib/domain/forms/terms";
import { phrases, t } from "@/lib/ground/texts/t";
import { contactQuestions, ownAttribute, type ListQuestion } from "./questions";

/** What a form asks besides the address, in order. */
export function QuestionFields({
  questions,
  ofList,
  attributes,
  onChange,
  fault,
  disabled,
}: {
  questions: readonly FormQuestion[];
  /** What the fields of the form's list would ask. */
  ofList: readonly ListQuestion[];
  /** Names of custom attributes that contacts have. */
  attributes: readonly string[];
  onChange: (questions: FormQuestion[]) => void;
  fault: (place: string) => string | null;
  disabled: boolean;
}) {
  const asked = new Set(questions.map(({ key }) => key));
  const add = (question: FormQuestion) => onChange([...questions, question]);
  const offered = {
    contact: contactQuestions.filter(({ key }) => !asked.has(key)),
    list: ofList.filter(({ key }) => !asked.has(key)),
  };
  const missing = offered.list.filter(({ required }) => required);
  const full = questions.length >= mostQuestions;
  return (
    <div className="flex flex-col gap-3">
      <ol aria-label={t("Questions")} className="divide-y border-y">
        <li className="flex items-baseline gap-3 py-3 text-sm">
          <span className="font-medium">{t("Email address")}</span>
          <span className="text-faint">{t("always asked, and required")}</span>
        </li>
        {questions.map((question, index) => (
          <QuestionRow
            // Questions are identified by position, since a key can be edited.
            key={index}
            question={question}
            field={ofList.find(({ key }) => key === question.key) ?? null}
            attributes={attributes}
            place={`questions[${index}]`}
            fault={fault}
            disabled={disabled}
            onChange={(changed) => onChange(questions.with(index, changed))}
            onMove={(by) => onChange(moved(questions, index, by))}
            mayMove={[index > 0, index < questions.length - 1]}
            onRemove={() => onChange(questions.filter((_, other) => other !== index))}
          />
        ))}
      </ol>
      {missing.length > 0 && (
        <p className="text-sm text-warning">
          {t("The list requires {fields}: people who use this form will not have it.", {
            fields: missing.map(({ name }) => name).join(", "),
          })}
        </p>
      )}
      {!disabled && (
        <Menu
          align="start"
          trigger={
            <Button disabled={full} className="self-start">
              <Plus aria-hidden /> {t("Add question")}
            </Button>
          }
        >
          {offered.contact.length > 0 && (
            <MenuGroup label={t("Of the contact")}>
              {offered.contact.map((question) => (
                <MenuItem key={question.key} onClick={() => add(question)}>
                  {contactNames[question.key]}
                </MenuItem>
              ))}
            </MenuGroup>
          )}
          {offered.list.length > 0 && (
            <MenuGroup label={t("Of the list")}>
              {offered.list.map(({ name, ...question }) => (
                <MenuItem key={question.key} onClick={() => add(question)}>
                  {name}
                </MenuItem>
              ))}
            </MenuGroup>
          )}
          <MenuItem onClick={() => add({ key: ownAttribute, label: "", required: false })}>
            {t("A custom attribute…")}
          </MenuItem>
        </Menu>
      )}
      {full && (
        <p className="text-xs text-faint">
          {t("A form asks {mostQuestions} questions at most.", { mostQuestions })}
        </p>
      )}
    </div>
  );
}

const contactNames: Readonly<Record<string, string>> = phrases({
  firstName: "First name",
  lastName: "Last name",
});

function moved(questions: readonly FormQuestion[], index: number, by: -1 | 1): FormQuestion[] {
  const others = questions.filter((_, other) => other !== index);
  return others.toSpliced(index + by, 0, ...questions.slice(index, index + 1));
}

function QuestionRow({
  question,
  field,
  attributes,
  place,
  fault,
  disabled,
  onChange,
  onMove,
  mayMove: [mayRise, maySink],
  onRemove,
}: {
  question: FormQuestion;
  /** The list's field that it asks for. */
  field: ListQuestion | null;
  attributes: readonly string[];
  place: string;
  fault: (place: string) => string | null;
  disabled: boolean;
  onChange: (question: FormQuestion) => void;
  onMove: (by: -1 | 1) => void;
  mayMove: [up: boolean, down: boolean];
  onRemove: () => void;
}) {
  const { key, label, required } = question;
  const standard = contactNames[key];
  const name = field?.name ?? standard ?? (label || t("custom attribute"));
  const isOwn = key.startsWith(ownAttribute);
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate text-sm font-medium">
          {name}
          <span className="ml-2 font-normal text-faint">
            {field ? t("of the list") : isOwn ? t("custom attribute") : t("of the contact")}
          </span>
        </span>
        {!disabled && (
          <span className="flex shrink-0">
            <IconButton
              size="sm"
              label={t("Move up: {name}", { name })}
              disabled={!mayRise}
              onClick={() => onMove(-1)}
            >
              <ArrowUp aria-hidden />
            </IconButton>
            <IconButton
              size="sm"
              label={t("Move down: {name}", { name })}
              disabled={!maySink}
              onClick={() => onMove(1)}
            >
              <ArrowDown aria-hidden />
            </IconButton>
            <IconButton size="sm" label={t("Remove: {name}", { name })} onClick={onRemove}>
              <Trash2 aria-hidden />
            </IconButton>
          </span>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={t("Label")}
          optional={standard !== undefined}
          hint={standard && t("Empty: in the visitor’s language.")}
          error={fault(`${place}.label`)}
        >
          <Input
            value={label}
            disabled={disabled}
            autoComplete="off"
            maxLength={200}
            placeholder={standard}
            onChange={({ target }) => onChange({ ...question, label: target.value })}
          />
        </Field>
        {isOwn && (
          <Field
            label={t("Kept as")}
            hint={t("The name of the attribute, as templates and segments use it.")}
            error={fault(`${place}.key`)}
          >
            <SuggestInput
              value={key.slice(ownAttribute.length)}
              suggestions={attributes}
              placeholder={t("city")}
              disabled={disabled}
              onChange={(attribute) => onChange({ ...question, key: ownAttribute + attribute })}
            />
          </Field>
        )}
      </div>
      {!isOwn && fault(`${place}.key`) && (
        <p role="alert" className="text-sm text-danger">
          {fault(`${place}.key`)}
        </p>
      )}
      <Checkbox
        label={t("Required")}
        {...(field?.required ? { hint: t("The list requires it.") } : {})}
        checked={required || field?.required === true}
        disabled={disabled || field?.required === true}
        onChange={(next) => onChange({ ...question, required: next })}
      />
    </li>
  );
}
