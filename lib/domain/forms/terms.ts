/** The questions of one form, besides the address. */
export const mostQuestions = 12;
/** Pixels. */
export const widths = { least: 240, most: 800, usual: 480 } as const;
/** Radius in pixels. */
export const corners = { most: 24, usual: 4 } as const;
export const themes = ["auto", "light", "dark"] as const;
export type FormTheme = (typeof themes)[number];
