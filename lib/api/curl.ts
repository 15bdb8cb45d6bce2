/** Where a reader puts their own key. */
const key = "$LETTERMILL_API_KEY";

/** Text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A curl command, ready to be pasted into a shell; the key comes from the environment. */
export function curlOf(request: {
  method: string;
  url: string;
  body?: unknown;
  /** MIME type of a file that is sent as the body. */
  file?: string;
}): string {
  const { method, url, body, file } = request;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${/^[\w:/.-]+$/.test(url) ? url : quoted(url)}`,
    `-H "Authorization: Bearer ${key}"`,
  ];
  if (file) lines.push(`-H "Content-Type: ${file}"`, "--data-binary @contacts.csv");
  if (body !== undefined) {
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d ${quoted(JSON.stringify(body, null, 2))}`,
    );
  }
  return lines.join(" \\\n  ");
}
