import type { SmtpReply } from "@/lib/mail/transport";

const longestReply = 64 * 1024;

/** Turns what a server writes into replies (RFC 5321, section 4.2; multi-line ones become one). */
export class ReplyReader {
  #rest = "";
  #lines: string[] = [];

  /** Whether something is left that is not yet a whole reply. */
  get pending(): boolean {
    return this.#rest !== "" || this.#lines.length > 0;
  }

  /** The replies that `chunk` completes. Throws for anything that is not an SMTP reply. */
  read(chunk: string): SmtpReply[] {
    this.#rest += chunk;
    const replies: SmtpReply[] = [];
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end < 0) break;
      const line = this.#rest.slice(0, end).replace(/\r$/, "");
      this.#rest = this.#rest.slice(end + 1);
      if (!/^[2-5]\d\d([ -]|$)/.test(line)) throw new Error("The server does not speak SMTP.");
      this.#lines.push(line);
      if (line[3] !== "-") {
        replies.push(parseReply(this.#lines));
        this.#lines = [];
      }
    }
    if (this.#rest.length > longestReply || this.#lines.length > 500) {
      throw new Error("The server's reply has no end.");
    }
    return replies;
  }
}

function parseReply(lines: readonly string[]): SmtpReply {
  const texts = lines.map((line) => line.slice(4));
  const enhanced = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(texts[0] ?? "")?.[1] ?? null;
  const text = texts
    .map((one) => (enhanced && one.startsWith(enhanced) ? one.slice(enhanced.length).trim() : one))
    .join("\n");
  return { code: Number(lines[0]?.slice(0, 3)), enhancedCode: enhanced, text: text.slice(0, 2000) };
}
