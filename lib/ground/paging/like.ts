/** A text with what LIKE reads as wildcards escaped. */
const literal = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** `%part%` */
export const containing = (part: string) => `%${literal(part)}%`;
/** `part%` */
export const startingWith = (part: string) => `${literal(part)}%`;
/** `%part` */
export const endingWith = (part: string) => `%${literal(part)}`;
