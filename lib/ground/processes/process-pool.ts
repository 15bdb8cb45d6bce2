import { AppError, type ErrorCode, type FieldError } from "@/lib/ground/errors";
import { keepAlive, ranOutOfMemory, startChild, type Child } from "./child";
import { processorTime } from "./processor-time";
import { Turns, type Lane } from "./turns";
import { keptShared, type Answer, type Batch, type SentError } from "./protocol";

/*
 * Runs jobs that may have to be ended. Processes, not worker threads: a thread that passes its memory limit
 * inside one of V8's own functions takes the whole program with it. A process is starting, idle or busy with
 * one batch of one lane; one that overruns is killed, and the rest of the batch goes to another. The input it
 * overran with fails if it was the first of its batch; otherwise it becomes the first of the next. Its lane
 * counts as busy until the replacement is ready: a lane that gets processes killed is the only one to wait for
 * new ones.
 */

export interface ProcessPoolOptions {
  /** The module that calls `serveJobs`, from the folder the program runs in. */
  file: string;
  processes: number;
  /** Processes that one lane may keep busy. */
  perLane: number;
  memoryMegabytes: number;
  /** After which a process without work ends; one always stays. */
  idleMilliseconds: number;
}

export interface Task {
  /** Lanes take turns. */
  lane: string;
  job: string;
  /** What many inputs have in common. Told apart by identity: sent to a process once and kept there for a while. */
  shared: object;
  input: unknown;
  /** Processor time for a warm run; the first of a batch has five times as much. */
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
  child: Child;
  state: "starting" | "idle" | "busy" | "ended";
  /** Whose batch it runs, or whom it is started for. */
  lane: Lane<Waiting> | null;
  batch: Waiting[];
  /** The input being worked on. */
  at: number;
  startedAt: number;
  /** Milliseconds that the job has asked for, on top of its task's. */
  more: number;
  /** Processor time the process had used when that input began, in milliseconds. */
  processorBefore: number;
  /** Looks after a busy process, or ends an idle one. */
  timer: NodeJS.Timeout | undefined;
  /** Shared values the process has, the oldest first. */
  has: number[];
}

const largestBatch = 16;
const coldFactor = 5;
/** Clock time per millisecond of processor time: a machine may be busy with other things. */
const patience = 40;

export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #turns: Turns<Waiting>;
  readonly #slots = new Set<Slot>();
  readonly #sharedIds = new WeakMap<object, number>();
  #lastSharedId = 0;
  #scheduled = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
    this.#turns = new Turns(options.perLane);
  }

  /** Processes that are there, or are starting. */
  get size(): number {
    return this.#slots.size;
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

  /** While there is work, one process is kept warm beside those that work: starting one takes a fifth of a second. */
  #startMore(): void {
    const slots = [...this.#slots];
    const free = slots.filter(({ state, lane }) => lane === null && state !== "busy").length;
    const room = this.#options.processes - slots.length;
    const working = this.#turns.ready > 0 || slots.some(({ state }) => state === "busy");
    const wanted = Math.min(room, Math.max(working ? 1 : 0, this.#turns.ready) - free);
    for (let started = 0; started < wanted; started++) this.#start(null);
  }

  #give(slot: Slot, lane: Lane<Waiting>): void {
    const [first] = lane.waiting;
    if (!first) throw new Error("A lane without work was taken.");
    let size = 1;
    while (size < largestBatch && belongTogether(first, lane.waiting[size])) size++;
    const batch = lane.waiting.splice(0, size);
    clearTimeout(slot.timer);
    Object.assign(slot, {
      state: "busy",
      lane,
      batch,
      at: 0,
      more: 0,
      startedAt: performance.now(),
    });
    keepAlive(slot.child, true);
    const sharedId = this.#sharedId(first.shared);
    const hasShared = slot.has.includes(sharedId);
    if (!hasShared) slot.has = [...slot.has, sharedId].slice(-keptShared);
    const order: Batch = {
      job: first.job,
      sharedId,
      ...(hasShared ? {} : { shared: { value: first.shared } }),
      inputs: batch.map(({ input }) => input),
    };
    // A process that is gone makes itself known by its "exit".
    slot.child.process.send(order, () => undefined);
    this.#watch(slot, allowed(slot));
  }

  #sharedId(shared: object): number {
    let id = this.#sharedIds.get(shared);
    if (id === undefined) this.#sharedIds.set(shared, (id = ++this.#lastSharedId));
    return id;
  }

  #start(lane: Lane<Waiting> | null): void {
    const child = startChild(this.#options.file, this.#options.memoryMegabytes);
    const slot: Slot = {
      child,
      state: "starting",
      lane,
      batch: [],
      at: 0,
      startedAt: 0,
      more: 0,
      processorBefore: 0,
      timer: undefined,
      has: [],
    };
    this.#slots.add(slot);
    child.process.on("message", (answer) => this.#answered(slot, answer as Answer));
    child.process.on("error", (error) => this.#broke(slot, error));
    // Not "exit": the last of standard error may come after it.
    child.process.on("close", () => this.#broke(slot, endOf(child)));
  }

  #answered(slot: Slot, answer: Answer): void {
    if (slot.state === "ended") return;
    if (answer.kind === "more") {
      slot.more += answer.milliseconds;
      return;
    }
    slot.processorBefore = answer.processorMilliseconds;
    if (answer.kind === "ready") {
      this.#idle(slot);
      return;
    }
    const task = slot.batch[slot.at++];
    slot.more = 0;
    slot.startedAt = performance.now();
    if (answer.kind === "result") task?.resolve(answer.value);
    else task?.reject(received(answer.error));
    if (slot.at === slot.batch.length) this.#idle(slot);
  }

  #idle(slot: Slot): void {
    clearTimeout(slot.timer);
    if (slot.lane) this.#turns.giveBack(slot.lane);
    Object.assign(slot, { state: "idle", lane: null, batch: [], timer: undefined });
    keepAlive(slot.child, false);
    this.#fill();
    if (slot.state === "idle") this.#endWhenIdle(slot);
  }

  #endWhenIdle(slot: Slot): void {
    slot.timer = setTimeout(() => {
      if (slot.state !== "idle" || this.#slots.size <= 1) return;
      this.#drop(slot);
    }, this.#options.idleMilliseconds).unref();
  }

  #watch(slot: Slot, milliseconds: number): void {
    slot.timer = setTimeout(() => void this.#look(slot), Math.max(10, milliseconds));
  }

  /** Ends work that has used up its processor time; work that only waits for the processor continues. */
  async #look(slot: Slot): Promise<void> {
    const { batch, at } = slot;
    const usage = await processorTime(slot.child.process.pid);
    // Answers that are already there are read first.
    await new Promise((resolve) => setImmediate(resolve));
    if (slot.state !== "busy") return;
    if (slot.batch !== batch) return;
    if (slot.at !== at) {
      this.#watch(slot, allowed(slot));
      return;
    }
    const waited = performance.now() - slot.startedAt;
    const used = usage === null ? waited : usage - slot.processorBefore;
    const left = allowed(slot) - used;
    if (left <= 0 || waited > allowed(slot) * patience) this.#end(slot, new JobEnded("time"));
    else this.#watch(slot, left);
  }

  #broke(slot: Slot, error: Error): void {
    if (slot.state === "ended") return;
    if (slot.state === "busy") {
      this.#end(slot, error);
      return;
    }
    const { lane, state } = slot;
    this.#drop(slot);
    if (lane) this.#turns.giveBack(lane);
    // A process that cannot start would not start next time either: nobody should wait for it.
    if (state === "starting") for (const { reject } of this.#turns.drain()) reject(error);
  }

  #end(slot: Slot, error: Error): void {
    const { lane, batch, at } = slot;
    this.#drop(slot);
    // What came after others may have overrun because of them, or of the machine: it is tried again as a first one.
    if (at === 0) batch[0]?.reject(error);
    lane?.waiting.unshift(...batch.slice(at || 1));
    this.#start(lane);
  }

  #drop(slot: Slot): void {
    clearTimeout(slot.timer);
    slot.state = "ended";
    this.#slots.delete(slot);
    slot.child.process.kill("SIGKILL");
    keepAlive(slot.child, false);
  }
}

function endOf(child: Child): Error {
  if (ranOutOfMemory(child)) return new JobEnded("memory");
  const { exitCode, signalCode } = child.process;
  return new Error(`A process ended with ${exitCode ?? signalCode}. ${child.lastWords}`.trim());
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
