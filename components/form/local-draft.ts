import { changedFields, changedPart } from "./changed";

/** Text not yet on the server, as the browser keeps it: the changed fields, before and after. */
export interface KeptWriting<Draft extends object> {
  /** What the changed fields were when the writing began. */
  base: Partial<Draft>;
  mine: Partial<Draft>;
  /** ISO time of the last change. */
  at: string;
}

/** Whether all that `other` says is in `chosen`, so that whoever decides on that has decided on both. */
export const covers = <Draft extends object>(
  { mine }: KeptWriting<Draft>,
  other: KeptWriting<Draft>,
): boolean => changedFields(mine, { ...mine, ...other.mine }).length === 0;

/** In front of whose writing it is (wire id) and which document's. */
const prefix = "lettermill.writing.";
const keptDays = 30;

const keyOf = (writer: string, document: string) => `${prefix}${writer}.${document}`;

/** Where text is kept: the browser's localStorage, or what a test puts in its place. */
type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** One tab's hold on what is kept of a writer's document. */
export interface Writing<Draft extends object> {
  /** What is kept; null when there is nothing, or nothing that can be read. It is this tab's to forget from now on. */
  read: () => KeptWriting<Draft> | null;
  /**
   * Keeps what differs from `base`, or forgets what this tab has kept when nothing does. A full or forbidden store keeps
   * nothing, and the page works without it. Old text of other documents is dropped to make room.
   */
  keep: (base: Draft, mine: Draft) => void;
  /** Forgets what this tab has read or kept. What another tab has kept since stays: nobody has seen it here. */
  forget: () => void;
}

export function writingIn<Draft extends object>(
  store: Store,
  writer: string,
  document: string,
): Writing<Draft> {
  const key = keyOf(writer, document);
  let own: string | null = null;
  const forget = () => {
    try {
      if (store.getItem(key) === own) store.removeItem(key);
    } catch {
      // Private windows refuse.
    }
    own = null;
  };
  return {
    read: () => {
      const kept = readKey<Draft>(store, key);
      own = kept && store.getItem(key);
      return kept;
    },
    keep: (base, mine) => {
      const changed = changedPart(base, mine);
      const names = Object.keys(changed) as (keyof Draft)[];
      if (names.length === 0) {
        forget();
        return;
      }
      const before: Partial<Draft> = {};
      for (const name of names) before[name] = base[name];
      const kept = { base: before, mine: changed, at: new Date().toISOString() };
      const text = JSON.stringify(kept satisfies KeptWriting<Draft>);
      try {
        dropOldWriting(store);
        store.setItem(key, text);
        own = text;
      } catch {
        // Private windows and full stores refuse.
      }
    },
    forget,
  };
}

function readKey<Draft extends object>(store: Store, key: string): KeptWriting<Draft> | null {
  try {
    const kept = JSON.parse(store.getItem(key) ?? "null") as unknown;
    if (!isObject(kept) || !("base" in kept) || !("mine" in kept) || !("at" in kept)) return null;
    if (!isObject(kept.base) || !isObject(kept.mine) || typeof kept.at !== "string") return null;
    return kept as KeptWriting<Draft>;
  } catch {
    return null;
  }
}

function dropOldWriting(store: Store): void {
  const oldest = new Date(Date.now() - keptDays * 86_400_000).toISOString();
  const keys = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  for (const key of keys.filter((name) => name.startsWith(prefix))) {
    const kept = readKey(store, key);
    // Releases that did not keep the writer left text that may be anybody's.
    if (!kept || !key.startsWith(`${prefix}usr_`) || kept.at < oldest) store.removeItem(key);
  }
}
