"use client";

import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { MailingListDetail } from "@/lib/domain/lists/schema";
import { phrases, t } from "@/lib/ground/texts/t";

export type PostalContact = MailingListDetail["contact"];

export interface Country {
  /** ISO 3166-1 alpha-2. */
  code: string;
  name: string;
}

type PostalField = keyof PostalContact;

const lines: readonly { name: PostalField; label: string; wide?: boolean }[] = phrases([
  { name: "company", label: "Company or person", wide: true },
  { name: "address_1", label: "Street and number", wide: true },
  { name: "address_2", label: "Address line 2", wide: true },
  { name: "zip", label: "Postal code" },
  { name: "city", label: "City" },
  { name: "state", label: "State or region" },
]);
const reach: readonly { name: PostalField; label: string; type: string }[] = phrases([
  { name: "email", label: "Email", type: "email" },
  { name: "phone", label: "Phone", type: "tel" },
  { name: "url", label: "Website", type: "url" },
]);

/** The names of all of them. */
export const postalFields: readonly PostalField[] = [
  ...[...lines, ...reach].map(({ name }) => name),
  "country_id",
];

/** Who is behind a list: what the foot of its mail says. */
export function AddressFields({
  value,
  onChange,
  countries,
  fault,
  disabled,
}: {
  value: PostalContact;
  onChange: (contact: PostalContact) => void;
  countries: readonly Country[];
  fault: (name: PostalField) => string | null;
  disabled: boolean;
}) {
  const set = (name: PostalField, text: string) => {
    const { [name]: _, ...others } = value;
    onChange(text ? { ...others, [name]: text } : others);
  };
  const country = value.country_id ?? "";
  // What another program wrote there is shown as it is.
  const isListed = country === "" || countries.some(({ code }) => code === country);
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-4">
      <legend className="display text-xl">{t("Postal address")}</legend>
      <p className="max-w-2xl text-sm text-soft">
        {t(
          "Shown at the bottom of every campaign to this list; the law requires one in most countries. If you leave it empty, the project’s own address is used.",
        )}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {lines.map(({ name, label, wide }) => (
          <Field
            key={name}
            label={label}
            name={name}
            optional
            error={fault(name)}
            className={wide ? "sm:col-span-2" : ""}
          >
            <Input
              autoComplete="off"
              value={value[name] ?? ""}
              onChange={({ target }) => set(name, target.value)}
            />
          </Field>
        ))}
        <Field label={t("Country")} name="country_id" optional error={fault("country_id")}>
          <Select
            options={[
              { value: "", label: t("Not set") },
              ...(isListed ? [] : [{ value: country, label: country }]),
              ...countries.map(({ code, name }) => ({ value: code, label: name })),
            ]}
            value={country}
            disabled={disabled}
            onChange={(code) => set("country_id", code)}
          />
        </Field>
        {reach.map(({ name, label, type }) => (
          <Field key={name} label={label} name={`contact-${name}`} optional error={fault(name)}>
            <Input
              type={type}
              autoComplete="off"
              value={value[name] ?? ""}
              onChange={({ target }) => set(name, target.value)}
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
