/** Where something is written. */
const writing =
  "input:not([type=checkbox], [type=radio], [type=button]), textarea, [contenteditable=true]";
const pressed =
  "button, a[href], summary, label, input[type=checkbox], input[type=radio], [role=button], [role=menuitem], [role=option], [role=tab], [role=switch]";

const elementOf = (target: EventTarget | null) => (target instanceof Element ? target : null);

/** Whether an event is the press of a button, or of what acts like one. */
export const isPress = ({ target, type }: Event) =>
  type === "submit" || Boolean(elementOf(target)?.closest(pressed));

/** Whether an event comes from somewhere that is written in. */
export const isWriting = ({ target }: Event) => Boolean(elementOf(target)?.closest(writing));

const canHaveFocus = (element: HTMLElement | null): element is HTMLElement =>
  element !== null &&
  element.isConnected &&
  element !== document.body &&
  !element.matches(":disabled");

/** Where the focus belongs after an interruption: where it was or, failing that, where was last written. */
export function focusBefore(active: Element | null, lastWritten: HTMLElement | null) {
  const before = active instanceof HTMLElement ? active : null;
  return [before, lastWritten].find(canHaveFocus) ?? null;
}
