/**
 * Where a field's text takes something that is put in, as offsets in characters. `selection` is what was selected when
 * the field was left; null if nobody has been in it.
 */
export function insertionRange(
  length: number,
  selection: readonly [start: number, end: number] | null,
): readonly [start: number, end: number] {
  // Tab selects all of a field it comes to: nobody wants to lose what stands there.
  if (!selection || (selection[0] === 0 && selection[1] === length)) return [length, length];
  return selection;
}
