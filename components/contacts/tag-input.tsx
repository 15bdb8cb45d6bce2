"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { Field, Input } from "@/components/ui/field";
import { IconButton } from "@/components/ui/button";
import { t } from "@/lib/ground/texts/t";

/** Labels on a person; Enter or a comma adds one, Backspace in the empty box removes the last. */
export function TagInput({
  value,
  onChange,
  error,
  disabled = false,
}: {
  value: readonly string[];
  onChange: (tags: string[]) => void;
  error?: string | null;
  disabled?: boolean;
}) {
  const [text, setText] = useState("");
  const add = (typed: string) => {
    const fresh = typed
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag && !value.includes(tag));
    if (fresh.length > 0) onChange([...value, ...new Set(fresh)]);
    setText("");
  };
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label={t("Tags")}
        name="tags"
        optional
        error={error ?? null}
        hint={t("Press Enter or type a comma to add one.")}
      >
        <Input
          value={text}
          disabled={disabled}
          autoComplete="off"
          maxLength={1000}
          placeholder="vip"
          onChange={({ target }) =>
            target.value.includes(",") ? add(target.value) : setText(target.value)
          }
          onBlur={() => add(text)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.metaKey && !event.ctrlKey && text.trim()) {
              event.preventDefault();
              add(text);
            } else if (event.key === "Backspace" && text === "") {
              onChange(value.slice(0, -1));
            }
          }}
        />
      </Field>
      {/* Room for a line of them: a button below must not move away under the press that ends the typing. */}
      <div className="min-h-7">
        {value.length > 0 && (
          <ul aria-label={t("Chosen tags")} className="flex flex-wrap gap-1.5">
            {value.map((tag) => (
              <li
                key={tag}
                className="inline-flex max-w-full items-center rounded-sm bg-neutral-wash pl-2 text-xs font-medium text-soft"
              >
                <span className="truncate">{tag}</span>
                <IconButton
                  label={t("Remove {tag}", { tag })}
                  size="sm"
                  disabled={disabled}
                  className="size-7!"
                  onClick={() => onChange(value.filter((other) => other !== tag))}
                >
                  <X aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
