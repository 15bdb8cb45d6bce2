import { changedFields } from "./changed";

/*
 * Two writers of one document, by field: `base` is what both began with, `theirs` what the server has by
 * now, `mine` what is written here. What only one side changed stays; what both changed differently is a
 * conflict that a person decides. Fields that only mean something together are one `group`.
 */

export type Groups<Draft> = readonly (readonly (keyof Draft)[])[];

const groupOf = <Draft>(groups: Groups<Draft>, name: keyof Draft) =>
  groups.find((group) => group.includes(name)) ?? [name];

/** The fields that both changed differently; whole groups. */
export function conflictingFields<Draft extends object>(
  base: Draft,
  theirs: Draft,
  mine: Draft,
  groups: Groups<Draft> = [],
): (keyof Draft)[] {
  const changedThere = changedFields(base, theirs);
  const different = changedFields(theirs, mine);
  const fields = changedFields(base, mine).flatMap((name) => {
    const group = groupOf(groups, name);
    const inConflict =
      group.some((field) => changedThere.includes(field)) &&
      group.some((field) => different.includes(field));
    return inConflict ? [...group] : [];
  });
  return [...new Set(fields)];
}

/** Theirs with the changes made here, in whole groups; in a conflict, mine. */
export function merged<Draft extends object>(
  base: Draft,
  theirs: Draft,
  mine: Draft,
  groups: Groups<Draft> = [],
): Draft {
  const draft = { ...theirs };
  for (const name of changedFields(base, mine)) {
    for (const field of groupOf(groups, name)) draft[field] = mine[field];
  }
  return draft;
}
