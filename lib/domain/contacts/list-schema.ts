import type { z } from "zod";
import { contactState } from "@/lib/domain/contact-states/schema";
import { dateRange } from "@/lib/ground/paging/schema";
import { contactQuery, exportQuery } from "./schema";

/* The dashboard's filters of contacts: those of the API, and more. */

/** Dates bound when a contact was added. */
export const moreFilters = { state: contactState.optional(), ...dateRange };

export const contactListQuery = contactQuery.extend(moreFilters);
export type ContactListQuery = z.infer<typeof contactListQuery>;
/** Which contacts, in whatever order. */
export type ContactListFilter = Omit<ContactListQuery, "limit" | "cursor" | "sort">;

export const listExportQuery = exportQuery.extend(moreFilters);
export type ListExportQuery = z.infer<typeof listExportQuery>;
