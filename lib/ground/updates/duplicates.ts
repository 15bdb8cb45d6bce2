import { sqlState } from "@/db/errors";
import type { AppError } from "@/lib/ground/errors";

const uniqueViolation = "23505";

/** Writes. Throws `conflict` when that would make a second of what may be there once. */
export async function refuseDuplicate<T>(
  write: () => Promise<T>,
  conflict: () => AppError,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw sqlState(error) === uniqueViolation ? conflict() : error;
  }
}
