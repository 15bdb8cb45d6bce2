import { and, eq } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { apiKeys, users } from "@/db/schema";
import type { Context } from "./context";

interface Authored {
  authorType: PgColumn;
  authorId: PgColumn;
}

/** SQL: the user (joined) wrote the row. */
export const isAuthor = ({ authorType, authorId }: Authored) =>
  and(eq(users.id, authorId), eq(authorType, "user"));

/** SQL: the key (joined) wrote the row. */
export const isAuthorKey = ({ authorType, authorId }: Authored) =>
  and(eq(apiKeys.id, authorId), eq(authorType, "apiKey"));

/** Who wrote a row, in its columns. */
type Author =
  | { authorType: "user" | "apiKey"; authorId: string }
  | { authorType: null; authorId: null };

/** Who is writing; an assistant writes for its person. null: the product itself. */
export function authorOf({ actor }: Pick<Context, "actor">): Author {
  switch (actor.type) {
    case "user":
    case "apiKey":
      return { authorType: actor.type, authorId: actor.id };
    case "assistant":
      return { authorType: "user", authorId: actor.userId };
    case "system":
      return { authorType: null, authorId: null };
  }
}
