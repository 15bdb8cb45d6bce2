/** How often each bomb was answered how. */
export type Answers = Record<string, Record<string, number>>;

/** Seconds after which a bomb counts as not answered. */
export const patienceSeconds = 60;
/** More than fits between two programs: part of it is still unsent when the answer arrives. */
const largeBody = 1_000_000;

export function noteAnswer(answers: Answers, bomb: string, answer: string): void {
  const of = (answers[bomb] ??= {});
  of[answer] = (of[answer] ?? 0) + 1;
}

/** An HTTP answer in a word: "busy" has to say when to come back. */
export const httpAnswer = (status: number, retryAfter: string | null) =>
  status === 503 && !retryAfter ? "503 without Retry-After" : String(status);

/**
 * A refusal (429, 413) may come while its body is on its way. The server takes the rest for half a second
 * and then closes; a client that has not read by then learns of it from the connection alone (RFC 9112,
 * section 9.6). Reproduced with a server that is busy for 550 ms: 2 of 67 bodies of 4 MB. Whether the
 * server is alive is checked separately.
 */
export function withoutAnswer(error: unknown, bytes: number): string {
  const { name, cause } = error as { name: string; cause?: { code?: string } };
  if (name === "TimeoutError") return `no answer within ${patienceSeconds} s`;
  const code = cause?.code ?? name;
  const isCutOff = ["EPIPE", "ECONNRESET", "UND_ERR_SOCKET"].includes(code);
  return isCutOff && bytes > largeBody ? "cut off while sending" : `no answer (${code})`;
}

/** A fault of ours: 5xx over HTTP, except "busy" that says when to come back, and no answer at all. */
const isFault = (answer: string) => /^(50[0-24-9]|503 .*|no answer.*)$/.test(answer);

/** `a filter of four megabytes: 500 (3)` */
export const faultsIn = (answers: Answers): string[] =>
  Object.entries(answers).flatMap(([bomb, of]) =>
    Object.entries(of)
      .filter(([answer]) => isFault(answer))
      .map(([answer, times]) => `${bomb}: ${answer} (${times})`),
  );

/** One line for each bomb: how many were thrown, and what they were answered. */
export function printAnswers(answers: Answers): void {
  for (const [bomb, of] of Object.entries(answers).sort()) {
    const thrown = Object.values(of).reduce((sum, times) => sum + times, 0);
    const words = Object.entries(of).map(([answer, times]) => `${answer} (${times})`);
    console.log(`   ${bomb}, ${thrown}: ${words.sort().join(", ")}`);
  }
}
