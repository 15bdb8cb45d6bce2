const longestName = 60;

/** `segment_id`, `SegmentID` and `segmentId` are the same name, written by different habits. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[_\-\s]/g, "");
}

/** How many letters have to be added, removed, replaced or swapped with their neighbour. */
export function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (rows[i - 1]?.[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swaps = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (rows[i - 1]?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        replaced,
        swaps ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    rows[i] = row;
  }
  return rows[from.length]?.[to.length] ?? Infinity;
}

/** Which of `names` somebody who wrote `name` probably meant; null when none comes close. */
export function nearestName(name: string, names: readonly string[]): string | null {
  if (name.length > longestName) return null;
  const wanted = bare(name);
  if (wanted === "") return null;
  let nearest: { name: string; distance: number } | null = null;
  for (const candidate of names) {
    const bareCandidate = bare(candidate);
    // `schedule` for scheduledAt, `segment` for segmentId.
    const inside = Math.min(wanted.length, bareCandidate.length) > 3;
    const contained = inside && (bareCandidate.includes(wanted) || wanted.includes(bareCandidate));
    const distance =
      contained && bareCandidate !== wanted ? 1 : editDistance(wanted, bareCandidate);
    const close =
      distance <= Math.max(1, Math.floor(Math.min(wanted.length, bareCandidate.length) / 3));
    if (close && (!nearest || distance < nearest.distance)) nearest = { name: candidate, distance };
  }
  return nearest?.name ?? null;
}
