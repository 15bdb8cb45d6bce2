/** Headers that route, sign or frame a message: only we set them. */
const forbiddenHeaders =
  /^(to|cc|bcc|from|sender|subject|reply-to|return-path|received|mime-version|message-id|date|(dkim|arc|content|resent|list-unsubscribe)(-.*)?)$/i;

export const headerName = /^[!-9;-~]{1,76}$/;

/** Whether a header of this name is ours to set and nobody else's. */
export function isForbiddenHeader(name: string): boolean {
  return forbiddenHeaders.test(name);
}
