"use client";

import { useEffect, useImperativeHandle, useRef, type Ref } from "react";

/** The browser's own way to choose files: hidden, in a label that looks like something or pressed by a button. */
export function FileInput({
  onFiles,
  accept,
  multiple = false,
  label,
  className = "sr-only",
  ref,
}: {
  /** Never called with none. */
  onFiles: (files: readonly File[]) => void;
  accept?: string | undefined;
  multiple?: boolean;
  /** Where the label around it holds more than its name. */
  label?: string;
  className?: string;
  ref?: Ref<HTMLInputElement | null>;
}) {
  const own = useRef<HTMLInputElement>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => own.current, []);
  const take = (box: HTMLInputElement) => {
    const files = [...(box.files ?? [])];
    // The same file again, corrected, counts as a change.
    box.value = "";
    if (files.length > 0) onFiles(files);
  };
  // What was chosen before the page's scripts ran.
  useEffect(() => {
    if (own.current?.files?.length) take(own.current);
  });
  return (
    <input
      ref={own}
      type="file"
      accept={accept}
      multiple={multiple}
      className={className}
      aria-label={label}
      onChange={({ target }) => take(target)}
    />
  );
}
