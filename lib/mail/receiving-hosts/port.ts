let port = 25;

/** Where receivers' servers listen: no setting can change it. */
export const receiverPort = (): number => port;

/** For tests, which play the receivers themselves. */
export function replaceReceiverPort(other: number): void {
  port = other;
}
