import { Token } from "liquidjs";

/** Of the source asked for last: an analysis asks for one after another in the same one. */
let known = { source: "", starts: [0] };

/** Where each line of `source` begins, in characters from 0. */
export function lineStarts(source: string): number[] {
  if (known.source !== source) {
    const starts = [0];
    for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1))
      starts.push(at + 1);
    known = { source, starts };
  }
  return known.starts;
}

// liquidjs counts lines from the start of the source for every token: 20,000 in 1 MB take a minute.
Token.prototype.getPosition = function (this: Token): [line: number, column: number] {
  const starts = lineStarts(this.input);
  let [first, last] = [0, starts.length - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if ((starts[middle] ?? 0) <= this.begin) first = middle;
    else last = middle - 1;
  }
  return [first + 1, this.begin - (starts[first] ?? 0) + 1];
};
