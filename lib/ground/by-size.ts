const bytesAtOnce = 4 * 1024 * 1024;
const mostAtOnce = 100;

/**
 * Stretches of items, in their order, that are few enough to be read together: of 4 MB at most by their `size` (bytes),
 * and a hundred at most. A larger item stands alone.
 */
export function bySize<Item extends { size: number }>(items: readonly Item[]): Item[][] {
  const stretches: Item[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const last = stretches.at(-1);
    bytes += item.size;
    if (last && bytes <= bytesAtOnce && last.length < mostAtOnce) last.push(item);
    else {
      stretches.push([item]);
      bytes = item.size;
    }
  }
  return stretches;
}
