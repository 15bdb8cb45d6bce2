import type { Context } from "./context";

/** Who wrote a row, in its columns. */
type Author =
  { authorType: "user" | "apiKey"; authorId: string } | { authorType: null; authorId: null };

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
