/** What the promise resolves to; null when it takes longer. */
export async function answerWithin<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  // An error that comes after the time is up concerns nobody.
  answer.catch(() => {});
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}
