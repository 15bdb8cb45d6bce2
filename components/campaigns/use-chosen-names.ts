import { useNameOf } from "@/components/named/use-named";
import type { ComposerOptions } from "./composer-parts";
import type { Draft } from "./draft";

type Named = ComposerOptions["lists"][number];

/** What the composer offers, and in addition what the draft has chosen: it may be one of many more. */
export function useChosenNames(draft: Draft, options: ComposerOptions): ComposerOptions {
  const segment = useNameOf("segment", draft.segmentId, options.segments).name;
  const list = useNameOf("list", draft.listId, options.lists).name;
  const template = useNameOf("template", draft.templateId, options.templates).name;
  const withOne = (known: readonly Named[], id: string, name: string | null) =>
    name === null || known.some((one) => one.id === id) ? known : [...known, { id, name }];
  return {
    ...options,
    segments: withOne(options.segments, draft.segmentId, segment),
    lists: withOne(options.lists, draft.listId, list),
    templates: withOne(options.templates, draft.templateId, template),
  };
}
