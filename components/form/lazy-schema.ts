import type { z } from "zod";

/** A schema whose script comes at the first sign that somebody may write something: most visits only read. */
export interface LazySchema<Schema extends z.ZodType> {
  load: () => Promise<Schema>;
  /** null: not there yet. */
  loaded: () => Schema | null;
}

export function lazySchema<Schema extends z.ZodType>(
  load: () => Promise<Schema>,
): LazySchema<Schema> {
  let loaded: Schema | null = null;
  let loading: Promise<Schema> | null = null;
  return {
    load: () =>
      (loading ??= load().then(
        (schema) => (loaded = schema),
        (error: unknown) => {
          // Asked for again, it is tried again.
          loading = null;
          throw error;
        },
      )),
    loaded: () => loaded,
  };
}

export type SchemaSource<Schema extends z.ZodType> = Schema | LazySchema<Schema>;

export const isLazy = <Schema extends z.ZodType>(
  schema: SchemaSource<Schema>,
): schema is LazySchema<Schema> => "loaded" in schema;

export const schemaNow = <Schema extends z.ZodType>(schema: SchemaSource<Schema>): Schema | null =>
  isLazy(schema) ? schema.loaded() : schema;

/** For a form that makes a thing or changes one. */
export const eitherSchema = <First extends z.ZodType, Second extends z.ZodType>(
  isFirst: boolean,
  first: LazySchema<First>,
  second: LazySchema<Second>,
): LazySchema<First | Second> => (isFirst ? first : second);

/** While the schema is not there yet, nothing is: whoever sends it hears it from the server. */
export const isKnownWrong = (schema: LazySchema<z.ZodType>, value: unknown): boolean =>
  schema.loaded()?.safeParse(value).success === false;
