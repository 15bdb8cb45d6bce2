/** `%part%` with what LIKE reads as wildcards escaped. */
export function containing(part: string): string {
  return `%${part.replace(/[\\%_]/g, "\\$&")}%`;
}
