let port = 25;

/** Where receivers' servers listen: nobody's settings lead elsewhere. */
export const receiverPort = (): number => port;

/** For tests, which play the receivers themselves. */
export function replaceReceiverPort(other: number): void {
  port = other;
}
