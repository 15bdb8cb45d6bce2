import type { Restoring } from "@/lib/domain/opt-outs/schema";
import type { TextKey, Texts } from "@/lib/ground/texts/texts";

/** The texts beside the button for each choice: what the person had read when they pressed it. */
const keys: Record<Restoring["action"], readonly [section: TextKey, ...TextKey[]]> = {
  leave: ["preferences.lists", "preferences.leave"],
  join: ["preferences.lists", "preferences.rejoin"],
  "leave-topic": ["preferences.topics", "preferences.topics.lead", "preferences.leave"],
  "join-topic": ["preferences.topics", "preferences.topics.lead", "preferences.rejoin"],
  "leave-all": ["preferences.everything", "preferences.everything.lead", "preferences.leaveAll"],
  return: ["preferences.leftAll.title", "preferences.leftAll.lead", "preferences.rejoin"],
  pause: ["preferences.pause", "preferences.pause.lead"],
  "pause-until": ["preferences.pause", "preferences.pause.lead"],
  resume: ["preferences.pause", "preferences.resume"],
  weekly: ["preferences.frequency", "preferences.frequency.normal", "preferences.weekly"],
  name: ["preferences.person", "preferences.saveName"],
  normal: ["preferences.frequency", "preferences.frequency.weekly", "preferences.normal"],
};

/**
 * What stood on the preference page beside the button that was pressed, in the language it stood there;
 * `undoes`: the button took the last choice back.
 */
export function shownText(
  { text }: Texts,
  change: Restoring,
  { project, name, undoes }: { project: string; name: string | null; undoes: boolean },
): string {
  const [section, ...beside] = keys[change.action];
  const shown = [section, ...(undoes ? (["preferences.undo"] as const) : beside)];
  const words = shown.map((key) => text(key, { project }));
  return [...(name === null ? [] : [name]), ...words].join("\n");
}
