import type { Suppression } from "@/lib/domain/suppressions/schema";

type Source = NonNullable<Suppression["source"]>;

/** Through whom; follows what they did. */
function byWords(by: NonNullable<Source["by"]>): string {
  switch (by.type) {
    case "user":
      return `by ${by.name ?? "somebody who is gone"}`;
    case "apiKey":
      return by.name === null ? "with an API key" : `with the API key ${by.name}`;
    case "platformToken":
      return `with a platform token of ${by.name ?? "somebody who is gone"}`;
    default:
      return "by Lettermill";
  }
}

/** Where a suppression comes from, as a sentence without its full stop. */
export function sourceWords({ source }: Pick<Suppression, "source">): string {
  if (source === null) return "Not recorded";
  const by = source.by ? ` ${byWords(source.by)}` : "";
  switch (source.type) {
    case "bounce":
      return "An email that bounced";
    case "complaint":
      return "An email that was reported as spam";
    case "added":
      return `Added${by || " by hand"}`;
    case "import":
      return `A file, imported${by}`;
    case "merge":
      return `Another address of the same person, merged${by}`;
    case "restored":
      return "It was suppressed when its contact was deleted, and came back";
  }
}
