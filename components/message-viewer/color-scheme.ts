const question = /\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi;

/**
 * A style sheet or media query as it is answered where the reader prefers dark or light: what a frame says of its
 * reader's preference is the system's in some browsers and the frame's own in others.
 */
export const withScheme = (css: string, scheme: "dark" | "light"): string =>
  css.replace(question, (_, asked: string) =>
    asked.toLowerCase() === scheme ? "(min-width:0)" : "(min-width:1000000px)",
  );
