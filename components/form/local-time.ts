/** The value of a datetime-local input: the viewer's wall clock, to the minute. */
export function localInput(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The instant such a value means to the viewer, as the API wants it; empty when it is invalid. */
export function instantOf(value: string): string {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}
