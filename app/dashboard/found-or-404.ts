import { notFound } from "next/navigation";
import { isAppError } from "@/lib/ground/errors";

/** What a page of one thing is about; the 404 page when the project has no such thing. */
export async function foundOr404<Thing>(reading: Promise<Thing>): Promise<Thing> {
  try {
    return await reading;
  } catch (error) {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    throw error;
  }
}
