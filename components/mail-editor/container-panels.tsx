"use client";

import type { Node } from "prosemirror-model";
import type { Command } from "prosemirror-state";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { SuggestInput } from "@/components/ui/suggest-input";
import type { Condition } from "@/lib/mail/design/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import type { PanelProps } from "./block-panel";
import { operatorWords, takesValue } from "./block-words";
import { BrandColorField } from "./brand-color-field";
import { mailSchema } from "./document-schema";
import { themeOf } from "./document";
import { useContactFields } from "@/components/source-editor/use-contact-fields";

/** By the shares of their columns. */
const layouts = phrases([
  { value: "1-1", label: "Two, alike" },
  { value: "1-2", label: "Two, the right one wider" },
  { value: "2-1", label: "Two, the left one wider" },
  { value: "1-1-1", label: "Three" },
  { value: "1-1-1-1", label: "Four" },
]);

const layoutOf = (columns: Node) =>
  Array.from({ length: columns.childCount }, (_, index) =>
    String(columns.child(index).attrs["share"]),
  ).join("-");

/** Gives columns another layout; the content of removed columns moves into the last that stays. */
const setLayout =
  (pos: number, layout: string): Command =>
  (state, dispatch) => {
    const columns = state.doc.nodeAt(pos);
    const type = mailSchema.nodes["column"];
    if (!columns || !type) return false;
    const shares = layout.split("-").map(Number);
    const contents = shares.map((_, index) => {
      const own = columns.maybeChild(index);
      if (!own) return mailSchema.nodes["paragraph"]?.create() ?? [];
      if (index < shares.length - 1) return own.content;
      let content = own.content;
      for (let extra = shares.length; extra < columns.childCount; extra++) {
        content = content.append(columns.child(extra).content);
      }
      return content;
    });
    const next = columns.type.create(
      columns.attrs,
      shares.map((share, index) => type.create({ share }, contents[index])),
    );
    dispatch?.(state.tr.replaceWith(pos, pos + columns.nodeSize, next));
    return true;
  };

export function ColumnsPanel({ spot, editor }: PanelProps) {
  const layout = layoutOf(spot.node);
  const isListed = layouts.some(({ value }) => value === layout);
  return (
    <Field label={t("Columns")} hint={t("On phones they stand below each other.")}>
      <Select
        options={isListed ? layouts : [...layouts, { value: layout, label: t("As they are") }]}
        value={layout}
        onChange={(next) => editor.run(setLayout(spot.pos, next), { keepFocus: true })}
      />
    </Field>
  );
}

export function SectionPanel({ attrs, set, editor }: PanelProps) {
  return (
    <>
      <BrandColorField
        label={t("Background")}
        value={attrs["background"] as string}
        standard={attrs["background"] as string}
        onChange={(background) => set({ background })}
      />
      <BrandColorField
        label={t("Text")}
        value={attrs["color"] as string | null}
        standard={themeOf(editor.state.doc).text}
        onChange={(color) => set({ color })}
        onStandard={() => set({ color: null })}
      />
    </>
  );
}

const fieldName = /^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/;
/** At most one kind of quotation mark and no Liquid: in the template it is quoted. */
const quotable = (text: string) => /^(?:[^'{}%]*|[^"{}%]*)$/.test(text);

function FieldName({ attrs, set, name }: Pick<PanelProps, "attrs" | "set"> & { name: string }) {
  const fields = useContactFields();
  return (
    <Field label={t("Field of the contact")}>
      <SuggestInput
        value={attrs[name] as string}
        suggestions={fields.map((field) => field.name)}
        onChange={(next) => {
          if (fieldName.test(next.trim())) set({ [name]: next.trim() });
        }}
      />
    </Field>
  );
}

export function ConditionPanel({ attrs, set }: PanelProps) {
  const { operator, value } = attrs as Condition["attrs"];
  return (
    <>
      <p className="text-sm text-soft">
        {t("Only people for whom this is true see what is in here.")}
      </p>
      <FieldName attrs={attrs} set={set} name="field" />
      <Field label={t("Comparison")}>
        <Select
          options={Object.entries(operatorWords).map(([operator, label]) => ({
            value: operator,
            label,
          }))}
          value={operator}
          onChange={(next) => set({ operator: next })}
        />
      </Field>
      {takesValue(operator) && (
        <Field label={t("Value")}>
          <Input
            value={value}
            maxLength={500}
            autoComplete="off"
            onChange={({ target }) => quotable(target.value) && set({ value: target.value })}
          />
        </Field>
      )}
    </>
  );
}

export function PlaceholderPanel({ attrs, set }: PanelProps) {
  return (
    <>
      <FieldName attrs={attrs} set={set} name="name" />
      <Field
        label={t("If it is not known")}
        hint={t("What people read of whom it is not known.")}
        optional
      >
        <Input
          value={attrs["fallback"] as string}
          maxLength={500}
          autoComplete="off"
          onChange={({ target }) => quotable(target.value) && set({ fallback: target.value })}
        />
      </Field>
    </>
  );
}
