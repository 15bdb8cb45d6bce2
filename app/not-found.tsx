import type { Metadata } from "next";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkButton } from "@/components/ui/button";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <QuietPage
      title="Page not found"
      lead="There is nothing at this address, or you do not have access to it."
    >
      <LinkButton href="/dashboard" variant="primary">
        Go to the dashboard
      </LinkButton>
    </QuietPage>
  );
}
