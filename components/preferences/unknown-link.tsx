import { QuietPage } from "@/components/shell/quiet-page";

/** What the pages of links in mail say when the link is none of ours. */
export function UnknownLink() {
  return (
    <QuietPage
      title="This link does not work"
      lead="It was cut on its way, or never came from here. Try the link in the mail once more, or copy all of it into the address bar."
    />
  );
}
