const references: Record<string, string> = {
  "&": "&amp;",
  '"': "&quot;",
  "'": "&#39;",
  "<": "&lt;",
  ">": "&gt;",
};

/** Text escaped for HTML: by default, for content and for quoted attributes. */
export function escapeHtml(text: string, characters = /[&"'<>]/g): string {
  return text.replace(characters, (character) => references[character] ?? character);
}
