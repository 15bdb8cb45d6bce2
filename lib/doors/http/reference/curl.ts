/** Where readers put their own key or token. */
const key = "$LETTERMILL_API_KEY";
const token = "$LETTERMILL_API_TOKEN";

/** What a request proves itself with: a key in the header, or a token in the query. */
export type CurlCredential = "key" | "token";

/** Between double quotes, where the shell puts the token in. */
function withToken(url: string): string {
  const plain = url.replace(/["$`\\]/g, "\\$&");
  return `"${plain}${url.includes("?") ? "&" : "?"}api_token=${token}"`;
}

const bare = (url: string) => (/^[\w:/.-]+$/.test(url) ? url : quoted(url));

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
  credential?: CurlCredential;
}): string {
  const { method, url, body, file, credential = "key" } = request;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${credential === "token" ? withToken(url) : bare(url)}`,
  ];
  if (credential === "key") lines.push(`-H "Authorization: Bearer ${key}"`);
  if (file) lines.push(`-H "Content-Type: ${file}"`, "--data-binary @contacts.csv");
  if (body !== undefined) {
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d ${quoted(JSON.stringify(body, null, 2))}`,
    );
  }
  return lines.join(" \\\n  ");
}
