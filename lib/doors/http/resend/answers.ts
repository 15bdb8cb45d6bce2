/** One thing, which says what it is. */
export function thing<const Kind extends string, Rest extends object>(object: Kind, rest: Rest) {
  return { object, ...rest };
}

/** The answer to a change, or another that shows a thing. */
export function ok<const Kind extends string, Rest extends object>(object: Kind, rest: Rest) {
  return { status: 200 as const, body: thing(object, rest) };
}

/** The answer to the removal of a thing. */
export function removed<const Kind extends string>(object: Kind, id: string) {
  return ok(object, { id, deleted: true as const });
}
