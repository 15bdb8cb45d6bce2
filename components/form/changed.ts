const same = (left: unknown, right: unknown): boolean =>
  left === right ||
  (typeof left === "object" && left !== null && JSON.stringify(left) === JSON.stringify(right));

/** Names of the fields in which `draft` differs from `base`, including those that only one has. */
export function changedFields<Draft extends object>(base: Draft, draft: Draft): (keyof Draft)[] {
  const names = new Set([...Object.keys(base), ...Object.keys(draft)]) as Set<keyof Draft>;
  return [...names].filter((name) => !same(base[name], draft[name]));
}

/** Only those fields. */
export function changedPart<Draft extends object>(base: Draft, draft: Draft): Partial<Draft> {
  const part: Partial<Draft> = {};
  for (const name of changedFields(base, draft)) part[name] = draft[name];
  return part;
}
