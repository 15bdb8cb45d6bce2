import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { AppError, type ErrorCode, type FieldError } from "@/lib/ground/errors";
import { Turns, type Lane } from "./turns";
import { keptShared, type Answer, type Batch, type SentError } from "./protocol";

// Not imported: the bundler would look for the module that each `new Worker` names, and the build would fail.
const { Worker: Thread } = process.getBuiltinModule("node:worker_threads");

/*
 * Runs jobs that may have to be ended. A thread is starting, idle or busy with one batch of one lane; one
 * that overruns is ended, its input fails, and the rest of the batch goes to another thread. Its lane
 * counts as busy until the replacement is ready: who gets threads ended waits for the new one alone.
 */

export interface ThreadPoolOptions {
  /** The module that calls `serveJobs`, from the folder the program runs in. */
  file: string;
  threads: number;
  /** Threads that one lane may keep busy. */
  perLane: number;
  memoryMegabytes: number;
}

export interface Task {
  /** Lanes take turns. */
  lane: string;
  job: string;
  /** What many inputs have in common. By identity: it is sent to a thread once and kept there for a while. */
  shared: object;
  input: unknown;
  /** Of the processor, for a warm run; the first of a batch has five times as much. */
  milliseconds: number;
}

/** The job was ended: it took too long, or too much memory. */
export class JobEnded extends Error {
  constructor(readonly reason: "time" | "memory") {
    super(`A job was ended: it took too much ${reason}.`);
  }
}

interface Waiting extends Task {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Slot {
  worker: Worker;
  state: "starting" | "idle" | "busy" | "ended";
  /** Whose batch it runs, or whom it is started for. */
  lane: Lane<Waiting> | null;
  batch: Waiting[];
  /** The input being worked on. */
  at: number;
  startedAt: number;
  /** Milliseconds that the job has asked for, over those of its task. */
  more: number;
  /** The thread's use of the processor when that input began. */
  cpuBefore: number;
  timer: NodeJS.Timeout | undefined;
  /** Shared values the thread has, the oldest first. */
  has: number[];
}

const largestBatch = 16;
const coldFactor = 5;
/** Of the clock, per millisecond of the processor: a machine may be busy with other things. */
const patience = 40;

export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #turns: Turns<Waiting>;
  readonly #slots = new Set<Slot>();
  readonly #sharedIds = new WeakMap<object, number>();
  #lastSharedId = 0;
  #scheduled = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#turns = new Turns(options.perLane);
  }

  /** What the job returns. Throws what the job threw: AppErrors as they are, JobEnded for what was ended. */
  run(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#turns.push(task.lane, { ...task, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      // One turn of the loop gathers what is asked for together.
      setImmediate(() => {
        this.#scheduled = false;
        this.#fill();
      });
    });
  }

  #fill(): void {
    for (;;) {
      const idle = [...this.#slots].find(({ state }) => state === "idle");
      if (!idle) break;
      const lane = this.#turns.take();
      if (!lane) break;
      this.#give(idle, lane);
    }
    this.#startMore();
  }

  /** One thread is always kept warm beside those that work: starting one takes half a second. */
  #startMore(): void {
    const slots = [...this.#slots];
    const free = slots.filter(({ state, lane }) => lane === null && state !== "busy").length;
    const room = this.#options.threads - slots.length;
    const wanted = Math.min(room, Math.max(1, this.#turns.ready) - free);
    for (let started = 0; started < wanted; started++) this.#start(null);
  }

  #give(slot: Slot, lane: Lane<Waiting>): void {
    const [first] = lane.waiting;
    if (!first) throw new Error("A lane without work was taken.");
    let size = 1;
    while (size < largestBatch && belongTogether(first, lane.waiting[size])) size++;
    const batch = lane.waiting.splice(0, size);
    Object.assign(slot, {
      state: "busy",
      lane,
      batch,
      at: 0,
      more: 0,
      startedAt: performance.now(),
    });
    slot.worker.ref();
    const sharedId = this.#sharedId(first.shared);
    const hasShared = slot.has.includes(sharedId);
    if (!hasShared) slot.has = [...slot.has, sharedId].slice(-keptShared);
    const order: Batch = {
      job: first.job,
      sharedId,
      ...(hasShared ? {} : { shared: { value: first.shared } }),
      inputs: batch.map(({ input }) => input),
    };
    slot.worker.postMessage(order);
    this.#watch(slot, allowed(slot));
  }

  #sharedId(shared: object): number {
    let id = this.#sharedIds.get(shared);
    if (id === undefined) this.#sharedIds.set(shared, (id = ++this.#lastSharedId));
    return id;
  }

  #start(lane: Lane<Waiting> | null): void {
    const worker = new Thread(join(/* turbopackIgnore: true */ process.cwd(), this.#options.file), {
      execArgv: ["--import", "tsx"],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMegabytes },
    });
    const slot: Slot = {
      worker,
      state: "starting",
      lane,
      batch: [],
      at: 0,
      startedAt: 0,
      more: 0,
      cpuBefore: 0,
      timer: undefined,
      has: [],
    };
    this.#slots.add(slot);
    worker.on("message", (answer: Answer) => this.#answered(slot, answer));
    worker.on("error", (error: Error) => this.#broke(slot, error));
    worker.on("exit", () => this.#broke(slot, new Error("A thread ended.")));
  }

  #answered(slot: Slot, answer: Answer): void {
    if (slot.state === "ended") return;
    if (answer.kind === "ready") {
      this.#idle(slot);
      return;
    }
    if (answer.kind === "more") {
      slot.more += answer.milliseconds;
      return;
    }
    const task = slot.batch[slot.at++];
    slot.more = 0;
    slot.startedAt = performance.now();
    slot.cpuBefore = answer.cpuMilliseconds;
    if (answer.kind === "result") task?.resolve(answer.value);
    else task?.reject(received(answer.error));
    if (slot.at === slot.batch.length) this.#idle(slot);
  }

  #idle(slot: Slot): void {
    clearTimeout(slot.timer);
    if (slot.lane) this.#turns.giveBack(slot.lane);
    Object.assign(slot, { state: "idle", lane: null, batch: [], timer: undefined });
    slot.worker.unref();
    this.#fill();
  }

  #watch(slot: Slot, milliseconds: number): void {
    slot.timer = setTimeout(() => void this.#look(slot), Math.max(10, milliseconds));
  }

  /** Ends work that has used up its processor time; work that only waits for the processor continues. */
  async #look(slot: Slot): Promise<void> {
    const { batch, at } = slot;
    // A thread that ends meanwhile has no figures any more.
    const usage = await slot.worker.cpuUsage().catch(() => null);
    // Answers that are there already are read first.
    await new Promise((resolve) => setImmediate(resolve));
    if (slot.state !== "busy") return;
    if (slot.batch !== batch) return;
    if (slot.at !== at) {
      this.#watch(slot, allowed(slot));
      return;
    }
    const used = usage ? (usage.user + usage.system) / 1000 - slot.cpuBefore : 0;
    const left = allowed(slot) - used;
    const waited = performance.now() - slot.startedAt;
    if (left <= 0 || waited > allowed(slot) * patience) this.#end(slot, new JobEnded("time"));
    else this.#watch(slot, left);
  }

  #broke(slot: Slot, error: Error): void {
    if (slot.state === "ended") return;
    const outOfMemory = (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
    if (slot.state === "busy") {
      this.#end(slot, outOfMemory ? new JobEnded("memory") : error);
      return;
    }
    const { lane, state } = slot;
    slot.state = "ended";
    this.#slots.delete(slot);
    if (lane) this.#turns.giveBack(lane);
    // A thread that cannot start would not start the next time: nobody is to wait for it.
    if (state === "starting") for (const { reject } of this.#turns.drain()) reject(error);
  }

  #end(slot: Slot, error: Error): void {
    const { lane, batch, at } = slot;
    clearTimeout(slot.timer);
    slot.state = "ended";
    this.#slots.delete(slot);
    void slot.worker.terminate();
    batch[at]?.reject(error);
    lane?.waiting.unshift(...batch.slice(at + 1));
    this.#start(lane);
  }
}

function belongTogether(first: Waiting, next: Waiting | undefined): boolean {
  return next !== undefined && next.job === first.job && next.shared === first.shared;
}

function allowed({ batch, at, more }: Slot): number {
  return ((batch[at]?.milliseconds ?? 0) + more) * (at === 0 ? coldFactor : 1);
}

function received({ code, message, details }: SentError): Error {
  return code === undefined
    ? new Error(message)
    : new AppError(code as ErrorCode, message, details as FieldError[] | undefined);
}
