import type { Metadata } from "next";
import { DocsFrame } from "@/components/docs/docs-frame";
import { DocsIndex } from "@/components/docs/docs-page";
import { allDocuments, titlesOf } from "./documents";

export const metadata: Metadata = { title: "Page not found" };

export default async function DocsNotFound() {
  const documents = await allDocuments();
  return (
    <DocsFrame titles={titlesOf(documents)}>
      <DocsIndex
        title="Page not found"
        description="The documentation has no page at this address. These are all it has."
        documents={documents}
      />
    </DocsFrame>
  );
}
