import type { Transport } from "@/lib/mail/transport";
import type { Handing } from "./deliver";
import type { Place } from "./slots";

const quickMilliseconds = 100;

/** What a transport says of when recipients' servers take mail. */
export function waitingOf(transport: Transport): Pick<Transport, "waitSeconds"> {
  return transport.waitSeconds
    ? { waitSeconds: (...mail) => transport.waitSeconds?.(...mail) ?? 0 }
    : {};
}

/** Work that gives its place to others' mail when it takes long; so much of it at once. */
export class Yielding {
  readonly #most: number;
  #away = 0;

  constructor(most = Infinity) {
    this.#most = most;
  }

  /** The transport for the email of a place, which it leaves where receivers' own servers are slow. */
  handing(transport: Transport | null, place: Place): Handing | null {
    if (!transport?.waitSeconds) return transport;
    return {
      kind: transport.kind,
      get available() {
        return transport.available;
      },
      ...waitingOf(transport),
      deliver: (...mail) => this.run(place, quickMilliseconds, () => transport.deliver(...mail)),
    };
  }

  async run<Result>(
    place: Place,
    afterMilliseconds: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    let away = false;
    const timer = setTimeout(() => {
      if (this.#away >= this.#most) return;
      away = true;
      this.#away++;
      place.leave();
    }, afterMilliseconds);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      if (away) {
        this.#away--;
        place.enter();
      }
    }
  }
}
