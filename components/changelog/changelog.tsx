import { readMarkdown, type Span } from "./markdown";

function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map(({ text, look }, index) => {
    if (look === "strong") return <strong key={index}>{text}</strong>;
    if (look === "code") {
      return (
        <code key={index} className="font-mono text-xs">
          {text}
        </code>
      );
    }
    return text;
  });
}

/** A changelog below the page's title, which replaces its own. */
export function Changelog({ source }: { source: string }) {
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      {readMarkdown(source).map((block, index) => {
        if (block.kind === "paragraph") {
          return (
            <p key={index} className="text-soft">
              <Spans spans={block.spans} />
            </p>
          );
        }
        if (block.kind === "list") {
          return (
            <ul key={index} className="flex list-disc flex-col gap-2 pl-5 marker:text-accent">
              {block.items.map((spans, item) => (
                <li key={item}>
                  <Spans spans={spans} />
                </li>
              ))}
            </ul>
          );
        }
        if (block.level === 1) return null;
        const Heading = block.level === 2 ? "h2" : "h3";
        return (
          <Heading key={index} className={block.level === 2 ? "display mt-4 text-2xl" : "eyebrow"}>
            {block.text}
          </Heading>
        );
      })}
    </div>
  );
}
