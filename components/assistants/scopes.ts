import type { AssistantScope } from "@/db/enums";
import { phrases } from "@/lib/ground/texts/t";

/** What an assistant may do, in words. */
export const scopeWords: Readonly<
  Record<AssistantScope, { label: string; short: string; hint: string }>
> = phrases({
  full: {
    label: "Everything the tools do",
    short: "Everything",
    hint: "Contacts, templates, domains, campaigns and sending, as far as your role goes.",
  },
  read: {
    label: "Read only",
    short: "Read only",
    hint: "Sees contacts, campaigns and figures, and changes nothing.",
  },
  sending: {
    label: "Send only",
    short: "Send only",
    hint: "Sends single emails. Sees nothing else.",
  },
});
