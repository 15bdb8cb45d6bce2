import { QuietPage } from "@/components/shell/plain-page";

/** What the pages behind links in mail say when the link is not one of ours. */
export function UnknownLink() {
  return (
    <QuietPage
      title="This link does not work"
      lead="Part of it may be missing, or it did not come from us. Try the link in the email again, or copy all of it into the address bar."
    />
  );
}
