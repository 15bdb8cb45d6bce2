import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DocumentSync, type Stored } from "./document-sync";

interface Draft {
  subject: string;
  body: string;
  kind: string;
  target: string;
}

class Refused extends Error {
  constructor(readonly kind: "stale" | "away" | "invalid") {
    super(kind);
  }
}

/** A server with one document: it refuses what is based on an older version, and trims subjects. */
class Server {
  draft: Draft = { subject: "First", body: "<p>1</p>", kind: "all", target: "" };
  version = 1;
  saves: string[][] = [];
  trouble: Refused | null = null;
  stored = (): Stored<Draft> => ({ draft: { ...this.draft }, version: `v${this.version}` });
  /** As another tab would. */
  write(part: Partial<Draft>): void {
    this.draft = { ...this.draft, ...part };
    this.version += 1;
  }
  open = () =>
    new DocumentSync<Draft>(
      this.stored(),
      {
        save: async (draft, fields, version) => {
          await Promise.resolve();
          if (this.trouble) throw this.trouble;
          if (version !== `v${this.version}`) throw new Refused("stale");
          this.saves.push(fields.map(String));
          const part = Object.fromEntries(fields.map((name) => [name, draft[name].trim()]));
          this.write(part);
          return this.stored();
        },
        read: () => Promise.resolve(this.stored()),
        isStale: (error) => error instanceof Refused && error.kind === "stale",
        isPassing: (error) => error instanceof Refused && error.kind === "away",
      },
      [["kind", "target"]],
    );
}

let server: Server;
beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
});
afterEach(() => {
  vi.useRealTimers();
});
const pause = () => vi.advanceTimersByTimeAsync(400);

describe("a document written in one place", () => {
  test("is saved when the typing pauses, by its changed fields alone", async () => {
    const sync = server.open();
    sync.set({ subject: "S" });
    sync.set({ subject: "Snow " });
    expect(server.saves).toEqual([]);
    await pause();
    expect(server.saves).toEqual([["subject"]]);
    // The blank at the end is still being typed; the server's own words do not replace it.
    expect(sync.getState()).toMatchObject({ draft: { subject: "Snow " }, saving: false });
    expect(sync.dirty).toBe(false);
    sync.set({ subject: "Snow f" });
    await pause();
    expect(server.draft.subject).toBe("Snow f");
  });

  test("is saved to its end by flush and by leaving, whatever is under way", async () => {
    const sync = server.open();
    sync.set({ subject: "A" });
    const flushed = sync.flush();
    sync.set({ body: "<p>2</p>" });
    await flushed;
    expect(server.draft).toMatchObject({ subject: "A", body: "<p>2</p>" });
    sync.set({ subject: "B" });
    expect(await sync.leave()).toBe(true);
    expect(server.draft.subject).toBe("B");
  });

  test("waits for a server that is away, and not for one that refuses", async () => {
    const sync = server.open();
    server.trouble = new Refused("away");
    sync.set({ subject: "Later" });
    await pause();
    expect(sync.getState().error).toBe(server.trouble);
    server.trouble = null;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(server.draft.subject).toBe("Later");
    expect(sync.getState().error).toBeNull();

    server.trouble = new Refused("invalid");
    sync.set({ subject: "Never" });
    await pause();
    server.trouble = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.draft.subject).toBe("Later");
    await expect(sync.flush()).resolves.toBeUndefined();
    expect(server.draft.subject).toBe("Never");
  });

  test("what failed is tried again on request, and only if it failed", async () => {
    const sync = server.open();
    sync.retry();
    await pause();
    expect(server.saves).toEqual([]);
    server.trouble = new Refused("invalid");
    sync.set({ body: "<p>2</p>" });
    await pause();
    expect(sync.getState().error).toBe(server.trouble);
    server.trouble = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.saves).toEqual([]);
    sync.retry();
    await pause();
    expect(server.saves).toEqual([["body"]]);
    expect(sync.getState().error).toBeNull();
  });

  test("flush throws what keeps it from being saved", async () => {
    const sync = server.open();
    server.trouble = new Refused("invalid");
    sync.set({ subject: "x" });
    await expect(sync.flush()).rejects.toBe(server.trouble);
    expect(await sync.leave()).toBe(false);
  });
});

describe("a document written in two places", () => {
  test("keeps both when they changed different fields", async () => {
    const [firstTab, otherTab] = [server.open(), server.open()];
    firstTab.set({ subject: "Of the one" });
    await pause();
    otherTab.set({ body: "<p>Of the other</p>" });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(server.draft).toMatchObject({ subject: "Of the one", body: "<p>Of the other</p>" });
    expect(otherTab.getState().draft.subject).toBe("Of the one");
    expect(otherTab.dirty).toBe(false);
  });

  test("saves nothing of either while both changed one field, until it is decided", async () => {
    const [firstTab, otherTab] = [server.open(), server.open()];
    firstTab.set({ subject: "Of the one" });
    await pause();
    otherTab.set({ subject: "Of the other", body: "<p>2</p>" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(otherTab.getState().conflict).toMatchObject({
      fields: ["subject"],
      theirs: { subject: "Of the one" },
    });
    expect(server.draft).toMatchObject({ subject: "Of the one", body: "<p>1</p>" });
    await expect(otherTab.flush()).rejects.toThrow(/which of the two/);

    otherTab.keepMine();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(server.draft).toMatchObject({ subject: "Of the other", body: "<p>2</p>" });

    firstTab.set({ subject: "Once more" });
    await pause();
    firstTab.takeTheirs();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(firstTab.getState()).toMatchObject({
      draft: { subject: "Of the other", body: "<p>2</p>" },
      conflict: null,
    });
    expect(firstTab.dirty).toBe(false);
    expect(server.draft.subject).toBe("Of the other");
  });

  test("decides together what only means something together", async () => {
    const sync = server.open();
    server.write({ kind: "list" });
    sync.set({ target: "seg_1" });
    await pause();
    expect(sync.getState().conflict?.fields).toEqual(["kind", "target"]);
    sync.takeTheirs();
    await pause();
    expect(sync.getState().draft).toMatchObject({ kind: "list", target: "" });
  });

  test("shows what came from elsewhere while nothing is written here, and nothing older", async () => {
    const sync = server.open();
    const before = server.stored();
    server.write({ subject: "From elsewhere" });
    sync.receive(server.stored());
    sync.receive(before);
    expect(sync.getState().draft.subject).toBe("From elsewhere");
    await pause();
    expect(server.saves).toEqual([]);
  });
});

describe("writing of an earlier visit", () => {
  test("is saved when nobody touched its fields", async () => {
    const sync = server.open();
    sync.restore({ subject: "First" }, { subject: "Kept" });
    await pause();
    expect(server.draft.subject).toBe("Kept");
  });

  test("is a conflict when somebody did", async () => {
    server.write({ subject: "Meanwhile" });
    const sync = server.open();
    sync.restore({ subject: "First" }, { subject: "Kept" });
    await pause();
    expect(server.draft.subject).toBe("Meanwhile");
    expect(sync.getState().conflict?.theirs.subject).toBe("Meanwhile");
    sync.keepMine();
    await pause();
    expect(server.draft.subject).toBe("Kept");
  });
});
