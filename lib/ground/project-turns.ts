import { ByteBudget } from "./byte-budget";

/**
 * Runs at most `atOnce` (2 or more) pieces of work at a time, for one project (uuid) half of them; the rest wait,
 * and projects take turns.
 */
export function projectTurns(
  atOnce: number,
): <Result>(projectId: string, work: () => Promise<Result>) => Promise<Result> {
  const places = new ByteBudget({ capacity: atOnce, smallCapacity: 0, largestSmall: 0 });
  return async (projectId, work) => {
    const place = await places.take(projectId, 1);
    try {
      return await work();
    } finally {
      place?.release();
    }
  };
}
