const began = performance.now();
const colour = process.stdout.isTTY && !process.env.NO_COLOR;

// A closed terminal or pipe must not kill the product while it is stopping.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

function paint(code: number, text: string): string {
  return colour ? `\u001b[${code}m${text}\u001b[0m` : text;
}
export const bold = (text: string) => paint(1, text);
export const dim = (text: string) => paint(2, text);

/** One line of progress on stdout, with the seconds since the start. */
export function progress(text: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${dim(`${seconds}s`)}  ${text}\n`);
}

export function warn(text: string): void {
  process.stderr.write(`${text}\n`);
}
