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
