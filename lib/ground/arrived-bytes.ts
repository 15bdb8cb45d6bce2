const kilobyte = 1024;
const largestBlock = 16 * kilobyte;

/**
 * Bytes that arrive in pieces, in about as much memory as they are long: a piece of a single byte would
 * otherwise cost a hundred times its size, and may be a part of something larger that it keeps alive.
 */
export class ArrivedBytes {
  #pieces: Uint8Array[] = [];
  /** Where small pieces go, and how much of it is used. */
  #block: Buffer | null = null;
  #used = 0;
  /** How many bytes have arrived. */
  size = 0;
  /** How much memory they take. */
  memory = 0;

  add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    const isFirst = this.size === 0;
    this.size += piece.byteLength;
    if (isFirst || piece.byteLength >= largestBlock) {
      this.#closeBlock();
      this.#pieces.push(piece);
      this.memory += piece.byteLength;
      return;
    }
    for (let at = 0; at < piece.byteLength;) {
      const block = this.#block ?? this.#openBlock();
      const part = piece.subarray(at, at + block.length - this.#used);
      block.set(part, this.#used);
      this.#used += part.byteLength;
      at += part.byteLength;
      if (this.#used === block.length) this.#closeBlock();
    }
  }

  /** All of them in one piece. */
  whole(): Buffer {
    this.#closeBlock();
    const [first, second] = this.#pieces;
    if (!first) return Buffer.alloc(0);
    if (second) return Buffer.concat(this.#pieces);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  /** Lets go of all of them. */
  drop(): void {
    this.#pieces = [];
    this.#block = null;
    this.#used = 0;
    this.memory = 0;
  }

  #openBlock(): Buffer {
    const length = Math.min(largestBlock, Math.max(kilobyte, this.size));
    this.memory += length;
    return (this.#block = Buffer.allocUnsafeSlow(length));
  }

  #closeBlock(): void {
    if (this.#block && this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = null;
    this.#used = 0;
  }
}
