import { posix } from "node:path";

/** The pages of the documentation in their order, each a file below docs/. */
export const docsGroups: readonly { label: string; files: readonly string[] }[] = [
  {
    label: "Guides",
    files: [
      "guide/quick-start.md",
      "guide/people.md",
      "guide/sending.md",
      "guide/contacts.md",
      "guide/sign-up-forms.md",
      "guide/campaigns.md",
      "guide/domains.md",
      "guide/receiving.md",
      "guide/webhooks.md",
      "guide/moving.md",
    ],
  },
  { label: "Programs", files: ["api.md", "resend.md", "platform-api.md", "mcp.md"] },
  {
    label: "Running it",
    files: ["self-hosting.md", "configuration.md", "operation.md", "upgrade.md", "scale.md"],
  },
];

export const docsFiles = docsGroups.flatMap(({ files }) => files);

/** `guide/quick-start.md` is served at /docs/quick-start. */
export const docsPath = (file: string) => `/docs/${posix.basename(file, ".md")}`;

/** What else the pages link to and the product serves itself. */
const served: Readonly<Record<string, string>> = {
  "openapi.json": "/v1/openapi.json",
  "platform-openapi.json": "/api/v1/openapi.json",
};

/** Where a link of a page leads in the product; null for files that only the repository has. */
export function docsLink(from: string, href: string): string | null {
  if (href.startsWith("#") || /^(https?|mailto):/.test(href)) return href;
  const [path = "", anchor] = href.split("#", 2);
  const file = posix.join(posix.dirname(from), path);
  const target = docsFiles.includes(file) ? docsPath(file) : (served[file] ?? null);
  return target && anchor ? `${target}#${anchor}` : target;
}

/** The examples name the address that a laptop has: readers copy this installation's. */
export const ownAddress = (code: string, appUrl: string) =>
  code.replace("LETTERMILL_URL=http://localhost:3000\n", `LETTERMILL_URL=${appUrl}\n`);
