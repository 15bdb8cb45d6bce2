/// <reference types="next/image-types/global" />
import type { Metadata } from "next";
import type { StaticImageData } from "next/image";
import { notFound } from "next/navigation";
import { DocsFrame } from "@/components/docs/docs-frame";
import { DocsPage } from "@/components/docs/docs-page";
import { docsFiles, docsPath } from "@/components/docs/pages";
import warmUp from "@/docs/warm-up.svg";
import { env } from "@/lib/ground/env/env";
import { allDocuments, titlesOf } from "../documents";

interface Props {
  params: Promise<{ page: string[] }>;
}

async function openPage({ params }: Props) {
  const path = `/docs/${(await params).page.join("/")}`;
  const documents = await allDocuments();
  const file = docsFiles.find((candidate) => docsPath(candidate) === path);
  const document = file && documents.get(file);
  if (!file || !document) notFound();
  return { file, document, titles: titlesOf(documents) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { document } = await openPage(props);
  return { title: document.title, description: document.lead };
}

export default async function DocumentationPage(props: Props) {
  const { file, document, titles } = await openPage(props);
  return (
    <DocsFrame titles={titles} current={file}>
      <DocsPage
        file={file}
        document={document}
        titles={titles}
        images={{ "warm-up.svg": warmUp as StaticImageData }}
        appUrl={env().APP_URL}
      />
    </DocsFrame>
  );
}
