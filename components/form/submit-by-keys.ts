import type { KeyboardEvent } from "react";

/** Cmd+Enter and Ctrl+Enter send the form, from a text area too. */
export function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  // A dialog's events reach the form it was opened from, wherever it stands in the page.
  event.stopPropagation();
  event.currentTarget.requestSubmit();
}
