"use client";

import { ColorField } from "@/components/ui/color-field";
import { NumberField } from "@/components/ui/number-field";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { fonts, type Theme } from "@/lib/mail/design/schema";
import type { MailEditor } from "./use-editor";

const fontNames: Record<Theme["font"], string> = {
  sans: "Arial",
  rounded: "Trebuchet",
  serif: "Georgia",
  slab: "Rockwell",
  mono: "Courier",
};
const fontOptions = fonts.map((font) => ({ value: font, label: fontNames[font] }));

const colors = [
  ["accent", "Buttons and links"],
  ["onAccent", "Text on buttons"],
  ["text", "Text"],
  ["sheet", "Sheet"],
  ["background", "Around the sheet"],
] as const;

/** How the whole email looks. */
export function ThemePanel({ editor, theme }: { editor: MailEditor; theme: Theme }) {
  const set = (part: Partial<Theme>) =>
    editor.run(
      (state, dispatch) => {
        dispatch?.(state.tr.setDocAttribute("theme", { ...theme, ...part }));
        return true;
      },
      { keepFocus: true },
    );
  return (
    <div className="flex flex-col gap-4">
      {colors.map(([name, label]) => (
        <ColorField
          key={name}
          label={label}
          value={theme[name]}
          standard={theme[name]}
          onChange={(color) => set({ [name]: color })}
        />
      ))}
      <Field label="Font of headings">
        <Select
          options={fontOptions}
          value={theme.headingFont}
          onChange={(headingFont) => set({ headingFont })}
        />
      </Field>
      <Field label="Font of text" hint="Fonts that are on every reader’s machine.">
        <Select options={fontOptions} value={theme.font} onChange={(font) => set({ font })} />
      </Field>
      <NumberField
        label="Width"
        hint="In pixels; 600 is usual."
        value={theme.width}
        least={320}
        most={800}
        onChange={(width) => width !== null && set({ width })}
      />
      <NumberField
        label="Round corners"
        hint="In pixels."
        value={theme.radius}
        least={0}
        most={32}
        onChange={(radius) => radius !== null && set({ radius })}
      />
    </div>
  );
}
