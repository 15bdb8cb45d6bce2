import { LRUCache } from "lru-cache";

/**
 * What takes long to read and may be a little old. Whoever asks for a key while it is being read waits for that
 * reading, and whoever asks soon afterwards gets what it gave: however many ask at once, one connection is busy with
 * it. A reading that fails is forgotten.
 */
export class SharedReading<Value extends object> {
  readonly #kept: LRUCache<string, Value>;
  readonly #underWay = new Map<string, Promise<Value>>();

  constructor(options: LRUCache.Options<string, Value, unknown>) {
    this.#kept = new LRUCache(options);
  }

  of(key: string, read: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept) return Promise.resolve(kept);
    let reading = this.#underWay.get(key);
    if (!reading) {
      reading = this.#read(key, read).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, reading);
    }
    return reading;
  }

  async #read(key: string, read: () => Promise<Value>): Promise<Value> {
    const value = await read();
    this.#kept.set(key, value);
    return value;
  }
}
