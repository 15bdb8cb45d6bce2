/** A custom field, as `data.plan`. */
export type FieldColumn = `data.${string}`;

/** What a list can show of each row beside its name. `More`: columns that the project itself has made. */
export interface ColumnSet<Own extends string = string, More extends string = never> {
  /** Names the cookie, which is kept for the path of one project's list. */
  cookie: string;
  /** The heads of what every row has, in their order. */
  words: Readonly<Record<Own, string>>;
  /** What is shown unless the reader chose otherwise. */
  usual: readonly Own[];
  more?: {
    is: (column: string) => column is More;
    /** Which of the others stand behind them. */
    before: readonly Own[];
  };
}

/** More do not fit beside each other. */
export const mostFieldColumns = 5;
/** Browsers drop larger cookies without a word. */
const largestCookie = 3_500;

export const isField = (column: string): column is FieldColumn => /^data\../.test(column);
export const fieldColumn = (key: string): FieldColumn => `data.${key}`;
export const fieldOf = (column: FieldColumn): string => column.slice("data.".length);

const isOwn = <Own extends string>({ words }: ColumnSet<Own, string>, column: string) =>
  Object.hasOwn(words, column);

/** What every row has, with the fields among it as they were chosen. */
function inOrder<Own extends string, More extends string>(
  set: ColumnSet<Own, More>,
  columns: readonly (Own | More)[],
): (Own | More)[] {
  const { words, more } = set;
  const own = (Object.keys(words) as Own[]).filter((column) => columns.includes(column));
  const isBehind = (column: Own) => more?.before.includes(column) ?? false;
  return [
    ...own.filter((column) => !isBehind(column)),
    ...columns.filter((column) => !isOwn(set, column)).slice(0, mostFieldColumns),
    ...own.filter(isBehind),
  ];
}

/** The columns that a cookie's value, decoded, asks for; the usual ones when it cannot be read. */
export function parseColumns<Own extends string, More extends string = never>(
  set: ColumnSet<Own, More>,
  value: string | undefined,
): readonly (Own | More)[] {
  if (value === undefined) return set.usual;
  const isColumn = (text: unknown): text is Own | More =>
    typeof text === "string" && (isOwn(set, text) || (set.more?.is(text) ?? false));
  try {
    const chosen: unknown = JSON.parse(value);
    if (!Array.isArray(chosen) || !chosen.every(isColumn)) return set.usual;
    return inOrder(set, [...new Set(chosen)]);
  } catch {
    return set.usual;
  }
}

const encoded = (columns: readonly string[]) => encodeURIComponent(JSON.stringify(columns));

/** The columns with one more or less; null where that one is too many. */
export function toggled<Own extends string, More extends string = never>(
  set: ColumnSet<Own, More>,
  columns: readonly (Own | More)[],
  column: Own | More,
): readonly (Own | More)[] | null {
  if (columns.includes(column)) return columns.filter((other) => other !== column);
  const next = inOrder(set, [...columns, column]);
  return next.includes(column) && encoded(next).length <= largestCookie ? next : null;
}

/** Remembers them for a year, for the project's list at `path`; the usual ones need no remembering. Browser only. */
export function keepColumns(
  { cookie, usual }: ColumnSet<string, string>,
  columns: readonly string[],
  path: string,
): void {
  const isUsual = encoded(columns) === encoded(usual);
  document.cookie = `${cookie}=${isUsual ? "" : encoded(columns)}; path=${path}; max-age=${isUsual ? 0 : 31_536_000}; samesite=lax`;
}

/**
 * The width of the column that names a row. It takes what the usual ones leave; beside others, all have a width and the
 * table scrolls where there is not room for all.
 */
export const nameWidth = ({ usual }: ColumnSet<string, string>, columns: readonly string[]) =>
  columns.every((column) => usual.includes(column)) ? "" : "md:w-60";
