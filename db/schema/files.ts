import { bigint, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea, createdAt, id } from "./columns";
import { projects } from "./projects";

/** Uploaded for use in mail; the bytes are in the file store under project and id. */
export const files = pgTable(
  "files",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** `subdirectory/name` of the public address, without leading slash. */
    path: text("path").notNull(),
    contentType: text("content_type").notNull(),
    size: bigint("size", { mode: "number" }).notNull(),
    sha256: bytea("sha256").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("files_path").on(table.projectId, table.path),
    // The media library, newest first.
    index("files_project").on(table.projectId, table.id),
  ],
);
