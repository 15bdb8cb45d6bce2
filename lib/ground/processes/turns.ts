/** One project's work. */
export interface Lane<Item> {
  readonly name: string;
  waiting: Item[];
  /** Processes it keeps busy. */
  held: number;
}

/** Work in lanes that take turns, each in a bounded number of processes at once. */
export class Turns<Item> {
  readonly #perLane: number;
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane<Item>>();

  constructor(perLane: number) {
    this.#perLane = perLane;
  }

  push(name: string, item: Item): void {
    let lane = this.#lanes.get(name);
    if (!lane) this.#lanes.set(name, (lane = { name, waiting: [], held: 0 }));
    lane.waiting.push(item);
  }

  /** Lanes that could use a process now. */
  get ready(): number {
    return [...this.#lanes.values()].filter((lane) => this.#isReady(lane)).length;
  }

  /** The lane whose turn it is, which holds a process from now on. */
  take(): Lane<Item> | undefined {
    const lane = [...this.#lanes.values()].find((one) => this.#isReady(one));
    if (!lane) return undefined;
    lane.held++;
    this.#lanes.delete(lane.name);
    this.#lanes.set(lane.name, lane);
    return lane;
  }

  giveBack(lane: Lane<Item>): void {
    lane.held--;
    if (lane.held === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.name);
  }

  /** Takes away everything that waits. */
  drain(): Item[] {
    const lanes = [...this.#lanes.values()];
    for (const { name, held } of lanes) if (held === 0) this.#lanes.delete(name);
    return lanes.flatMap((lane) => lane.waiting.splice(0));
  }

  #isReady(lane: Lane<Item>): boolean {
    return lane.waiting.length > 0 && lane.held < this.#perLane;
  }
}
