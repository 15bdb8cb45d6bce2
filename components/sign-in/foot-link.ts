/** A quiet way on, below a form. */
export const footLinkClass =
  "self-center text-sm text-soft underline decoration-rule-strong underline-offset-4 hover:text-accent-ink";
