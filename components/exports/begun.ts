import { useSyncExternalStore } from "react";
import { whenIdle } from "@/components/ui/when-idle";

/** An export that was begun in this tab. */
export interface BegunExport {
  /** What the server knows it by. */
  id: string;
  projectId: string;
  filename: string;
  /** Where it comes from, without the id. */
  href: string;
  /** When, in milliseconds. */
  at: number;
}

const key = "lettermill.exports";
const none: readonly BegunExport[] = [];
/** The server forgets them after a day. */
const keptMilliseconds = 12 * 3_600_000;

let begun: readonly BegunExport[] | null = null;
const watchers = new Set<() => void>();

function stored(): readonly BegunExport[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "[]") as readonly BegunExport[];
    const recent = kept.filter(({ at }) => Date.now() - at < keptMilliseconds);
    return recent.length > 0 ? recent : none;
  } catch {
    // A browser that keeps nothing shows those of the page alone.
    return none;
  }
}

const current = () => (begun ??= stored());
/** What is known already: the browser takes its time to open what it keeps, and a page comes first. */
const known = () => begun ?? none;
const tellAll = () => watchers.forEach((tell) => tell());

function change(next: readonly BegunExport[]): void {
  begun = next;
  try {
    sessionStorage.setItem(key, JSON.stringify(next));
  } catch {
    // They last as long as the page.
  }
  tellAll();
}

/** Notes that an export begins; returns its address with the id that the server is to know it by. */
export function noteExport(of: Pick<BegunExport, "projectId" | "filename" | "href">): string {
  const id = [...crypto.getRandomValues(new Uint32Array(4))].join("-");
  change([...current(), { ...of, id, at: Date.now() }]);
  return `${of.href}${of.href.includes("?") ? "&" : "?"}progress=${id}`;
}

export const forgetExport = (id: string) => change(current().filter((one) => one.id !== id));

function subscribe(tell: () => void): () => void {
  watchers.add(tell);
  const callOff =
    begun === null
      ? whenIdle(() => {
          if (current() !== none) tellAll();
        })
      : () => undefined;
  return () => {
    callOff();
    watchers.delete(tell);
  };
}

/** Those of a project that were begun in this tab and whose end nobody has seen, the oldest first. */
export function useBegunExports(projectId: string): readonly BegunExport[] {
  const all = useSyncExternalStore(subscribe, known, () => none);
  return all.filter((one) => one.projectId === projectId);
}
