import { z } from "zod";
import { AppError, isAppError } from "@/lib/ground/errors";

/** Resend's names of our fields. */
export type Terms = Readonly<Record<string, string>>;

/** Members with names that customers choose. */
const open = new Set(["headers", "metadata", "data"]);

/** `attachments[0].contentType` in Resend's terms. */
function renamed(path: string, terms: Terms): string {
  const parts: string[] = [];
  let isOpen = false;
  for (const part of path.split(".")) {
    const [name = ""] = part.split("[", 1);
    parts.push(isOpen ? part : (terms[name] ?? name) + part.slice(name.length));
    isOpen ||= open.has(name);
  }
  return parts.join(".");
}

/** Runs a call of the domain whose errors name our fields, and throws them with Resend's names. */
export async function inTerms<Result>(terms: Terms, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error) || !error.details) throw error;
    const details = error.details.map(({ path, message }) => ({
      path: renamed(path, terms),
      message,
    }));
    const [before, after] = [error.details[0]?.path ?? "", details[0]?.path ?? ""];
    const message = error.message.startsWith(before)
      ? after + error.message.slice(before.length)
      : error.message;
    throw new AppError(error.code, message, details);
  }
}

/** A field of Resend's that has no counterpart: it is refused, since leaving it out would do something else. */
export function refused(message: string) {
  return z.never({ error: () => message }).optional();
}
