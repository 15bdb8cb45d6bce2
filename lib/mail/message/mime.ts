import { joinMessage } from "./body";
import { composeMessage } from "./composed-message";
import { signDkim, type DkimKey } from "./dkim";
import { writeLetter } from "./letter";
import type { MimeInput } from "./mime-input";

/** The message as it goes over the wire, signed when there is a key. The same input gives the same bytes. */
export async function buildMime(input: MimeInput, key: DkimKey | null): Promise<Buffer> {
  const { fields, body } = writeLetter(input) ?? (await composeMessage(input));
  const signature = key ? [await signDkim(fields, body, key, input.date)] : [];
  const head = [...signature, ...fields, "", ""].join("\r\n");
  return joinMessage(Buffer.from(head, "utf8"), body);
}
