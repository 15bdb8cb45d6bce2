/** The look of everything that floats: menus, popovers, select lists. */
export const popupClass =
  "max-w-[calc(100vw-1rem)] origin-(--transform-origin) rounded-lg border border-rule-strong bg-sheet text-ink shadow-pop outline-none transition-[opacity,transform] data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0";
