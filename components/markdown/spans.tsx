import type { MarkedToken, Token } from "marked";
import { Fragment, type ReactNode } from "react";

/** Where things in the text lead. */
export interface MarkdownTargets {
  /** Where a link leads; null: nowhere here, only its text is shown. */
  link?: ((href: string) => string | null) | undefined;
  /** Where an image is, and its size; null: it is not shown. */
  image?: ((href: string) => { src: string; width: number; height: number } | null) | undefined;
}

function Span({ token, targets }: { token: MarkedToken; targets: MarkdownTargets }): ReactNode {
  const inside =
    "tokens" in token && token.tokens ? <Spans tokens={token.tokens} targets={targets} /> : null;
  switch (token.type) {
    case "text":
      return inside ?? token.text;
    case "escape":
      return token.text;
    case "br":
      return <br />;
    case "strong":
      return <strong className="font-semibold text-ink">{inside}</strong>;
    case "em":
      return <em>{inside}</em>;
    case "codespan":
      return (
        <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.86em] wrap-break-word">
          {token.text}
        </code>
      );
    case "link": {
      const href = targets.link ? targets.link(token.href) : token.href;
      if (href === null) return inside;
      return (
        <a
          href={href}
          className="text-accent-ink underline decoration-rule-strong underline-offset-4 wrap-anywhere hover:decoration-current"
        >
          {inside}
        </a>
      );
    }
    case "image": {
      const image = targets.image?.(token.href);
      if (!image) return token.text;
      const { src, width, height } = image;
      return (
        // Drawn on white, in the dark theme as well.
        <img
          src={src}
          width={width}
          height={height}
          alt={token.text}
          className="h-auto w-full rounded-md border bg-white"
        />
      );
    }
    default:
      throw new Error(`Pages do not show ${token.type} in text: ${token.raw.slice(0, 80)}`);
  }
}

/** Text with its emphasis, code and links. */
export function Spans({
  tokens,
  targets,
}: {
  tokens: readonly Token[];
  targets: MarkdownTargets;
}): ReactNode {
  return (tokens as readonly MarkedToken[]).map((token, index) => (
    <Fragment key={index}>
      <Span token={token} targets={targets} />
    </Fragment>
  ));
}
