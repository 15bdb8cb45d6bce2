"use client";

import { Button } from "@/components/ui/button";
import { NumberField } from "@/components/ui/number-field";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { fonts, type Theme } from "@/lib/mail/design/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { BrandColorField } from "./brand-color-field";
import { useBrand, useMailLanguages } from "./use-brand";
import type { MailEditor } from "./use-editor";

const fontNames: Record<Theme["font"], string> = {
  sans: "Arial",
  rounded: "Trebuchet",
  serif: "Georgia",
  slab: "Rockwell",
  mono: "Courier",
};
const fontOptions = fonts.map((font) => ({ value: font, label: fontNames[font] }));

const colors = phrases([
  { name: "accent", label: "Buttons and links" },
  { name: "onAccent", label: "Text on buttons" },
  { name: "text", label: "Text" },
  { name: "sheet", label: "Sheet" },
  { name: "background", label: "Around the sheet" },
]);

/** Everything that makes up a look. */
export function ThemeFields({
  theme,
  set,
  disabled = false,
}: {
  theme: Theme;
  set: (part: Partial<Theme>) => void;
  disabled?: boolean;
}) {
  return (
    <>
      {colors.map(({ name, label }) => (
        <BrandColorField
          key={name}
          label={label}
          value={theme[name]}
          standard={theme[name]}
          disabled={disabled}
          onChange={(color) => set({ [name]: color })}
        />
      ))}
      <Field label={t("Font of headings")}>
        <Select
          options={fontOptions}
          value={theme.headingFont}
          disabled={disabled}
          onChange={(headingFont) => set({ headingFont })}
        />
      </Field>
      <Field label={t("Font of text")} hint={t("Fonts that are on every reader’s machine.")}>
        <Select
          options={fontOptions}
          value={theme.font}
          disabled={disabled}
          onChange={(font) => set({ font })}
        />
      </Field>
      <NumberField
        label={t("Width")}
        hint={t("In pixels; 600 is usual.")}
        value={theme.width}
        least={320}
        most={800}
        disabled={disabled}
        onChange={(width) => width !== null && set({ width })}
      />
      <NumberField
        label={t("Round corners")}
        hint={t("In pixels.")}
        value={theme.radius}
        least={0}
        most={32}
        disabled={disabled}
        onChange={(radius) => radius !== null && set({ radius })}
      />
    </>
  );
}

/** How the whole email looks. */
export function ThemePanel({
  editor,
  theme,
  language,
}: {
  editor: MailEditor;
  theme: Theme;
  /** BCP 47; null: it says none, which counts as English. */
  language: string | null;
}) {
  const brand = useBrand();
  const languages = useMailLanguages(language ?? "en");
  const setAttribute = (name: "theme" | "language", value: unknown) =>
    editor.run(
      (state, dispatch) => {
        dispatch?.(state.tr.setDocAttribute(name, value));
        return true;
      },
      { keepFocus: true },
    );
  const set = (part: Partial<Theme>) => setAttribute("theme", { ...theme, ...part });
  const isBrands = JSON.stringify({ ...theme, ...brand?.theme }) === JSON.stringify(theme);
  return (
    <div className="flex flex-col gap-4">
      {brand && !isBrands && (
        <Button onClick={() => set(brand.theme)}>{t("Use the brand’s look")}</Button>
      )}
      <ThemeFields theme={theme} set={set} />
      <Field label={t("Language")} hint={t("Screen readers pronounce it by this.")}>
        <Select
          options={languages}
          value={language ?? "en"}
          onChange={(code) => setAttribute("language", code)}
        />
      </Field>
    </div>
  );
}
