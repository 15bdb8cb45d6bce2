const turns: (() => void)[] = [];

/**
 * Does `work` in a frame of its own, after what was asked for before it: what takes a phone long must not be done all at
 * once. Returns how to call it off.
 */
export function inTurn(work: () => void): () => void {
  let wanted = true;
  turns.push(() => {
    if (wanted) work();
  });
  if (turns.length === 1) requestAnimationFrame(takeTurn);
  return () => {
    wanted = false;
  };
}

function takeTurn(): void {
  try {
    turns[0]?.();
  } finally {
    turns.shift();
    if (turns.length > 0) requestAnimationFrame(takeTurn);
  }
}
