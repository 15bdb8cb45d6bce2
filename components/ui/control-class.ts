/** The look of what people write in or choose from. */
export const controlClass =
  "w-full rounded-md border border-control bg-sheet px-3 text-base text-ink transition-[border-color] hover:border-ink focus-visible:outline-offset-0 disabled:opacity-60 data-invalid:border-danger data-invalid:border-l-4 sm:text-sm";
