import type { Metadata } from "next";
import { DocsFrame } from "@/components/docs/docs-frame";
import { DocsIndex } from "@/components/docs/docs-page";
import { allDocuments, titlesOf } from "./documents";

const about = {
  title: "Documentation",
  description: "How to send, manage contacts and run the product, with examples to copy.",
};

export const metadata: Metadata = about;

export default async function DocsIndexPage() {
  const documents = await allDocuments();
  return (
    <DocsFrame titles={titlesOf(documents)}>
      <DocsIndex {...about} documents={documents} />
    </DocsFrame>
  );
}
