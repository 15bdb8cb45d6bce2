/** @jsxImportSource hono/jsx */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { html, raw } from "hono/html";
import { pageLogo, type PageLogo } from "@/lib/domain/opt-outs/brand";
import type { ProjectBrand } from "@/lib/domain/opt-outs/schema";
import { acceptedLanguages, listLanguages, textsFor, type Texts } from "@/lib/ground/texts/texts";
import { logoRules, styleOf, type Theme } from "./style";

/** Who looks at a page, and in which words. */
export interface Visitor {
  texts: Texts;
  /** What they chose on the page itself. */
  chosen: string | null;
  /** The page's path and query, for the links to its other languages; null: it answers a form. */
  path: string | null;
}

/** The language of a page: the one chosen there, the person's own, what the browser asks for, the project's. */
export function visitorOf(
  c: Context,
  {
    chosen = c.req.query("lang")?.slice(0, 35) ?? null,
    person = null,
    project = null,
  }: { chosen?: string | null | undefined; person?: string | null; project?: string | null } = {},
): Visitor {
  const accepted = acceptedLanguages(c.req.header("accept-language"));
  const isPage = c.req.method === "GET" || c.req.method === "HEAD";
  return {
    texts: textsFor(chosen, person, ...accepted, project),
    chosen,
    path: isPage ? ownPath(c) : null,
  };
}

/** What else the page is asked to show, such as the way out, it shows in another language, too. */
function ownPath(c: Context): string {
  const query = new URLSearchParams(c.req.query());
  query.delete("lang");
  return query.size > 0 ? `${c.req.path}?${query}` : c.req.path;
}

const inLanguage = (path: string, code: string) =>
  `${path}${path.includes("?") ? "&" : "?"}lang=${code}`;

const LanguageLinks: FC<{ visitor: Visitor }> = ({ visitor: { texts, path } }) =>
  path === null ? null : (
    <nav aria-label={texts.text("page.language")}>
      {listLanguages().map(({ code, name }) =>
        code === texts.language ? (
          <span lang={code} aria-current="true">
            {name}
          </span>
        ) : (
          <a href={inLanguage(path, code)} lang={code} hreflang={code} rel="nofollow">
            {name}
          </a>
        ),
      )}
    </nav>
  );

export interface PageProps {
  visitor: Visitor;
  brand: ProjectBrand | null;
  title: string;
  lead?: Child;
  /** If absent, as the visitor's system is. */
  theme?: Theme;
  /** Rules that follow the page's own style. */
  rules?: string;
  /** The one script that the page runs; absent: none. */
  script?: string;
}

const schemes: Record<Theme, string> = { auto: "light dark", light: "light", dark: "dark" };

const Sender: FC<{ brand: ProjectBrand; logo: PageLogo | null }> = ({ brand: { project }, logo }) =>
  logo ? (
    <p class="brand logo">
      <img src={logo.path} alt={project} />
    </p>
  ) : (
    <p class="brand">
      <span aria-hidden="true">{[...project][0]?.toUpperCase()}</span>
      <span>{project}</span>
    </p>
  );

interface Written {
  style: string;
  logo: PageLogo | null;
}

const Page: FC<PropsWithChildren<PageProps & Written>> = (props) => {
  const { visitor, brand, title, lead, theme = "auto", style, logo, script, children } = props;
  const { language, dir } = visitor.texts;
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={schemes[theme]} />
        <meta name="robots" content="noindex, nofollow" />
        <title>{brand ? `${title} · ${brand.project}` : title}</title>
        <style>{raw(style)}</style>
      </head>
      <body>
        <main>
          {brand && <Sender brand={brand} logo={logo} />}
          <div class="sheet">
            <h1>{title}</h1>
            {lead !== undefined && (
              <p class="lead">{typeof lead === "string" ? <bdi>{lead}</bdi> : lead}</p>
            )}
            {children}
          </div>
        </main>
        <footer>
          {brand && brand.postalAddress !== "" && (
            <address>
              {brand.postalAddress.split("\n").map((line, index) => (
                <>
                  {index > 0 && <br />}
                  <bdi>{line}</bdi>
                </>
              ))}
            </address>
          )}
          <LanguageLinks visitor={visitor} />
        </footer>
        {script !== undefined && <script>{raw(script)}</script>}
      </body>
    </html>
  );
};

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64");

/** A page's HTML, with the style and the logo in it. */
export function writePage(props: PropsWithChildren<PageProps>) {
  const { brand, theme, rules = "" } = props;
  const logo = brand && pageLogo(brand);
  const style = `${styleOf(brand?.color ?? null, theme)}${logo ? logoRules(logo.ground) : ""}${rules}`;
  const document = html`<!doctype html> ${<Page {...props} style={style} logo={logo} />}`;
  return { style, logo, document };
}

/**
 * Answers with a page that runs nothing but its own script, loads nothing but its sender's logo and `frames`, both from us,
 * and posts only here.
 */
export function answerPage(
  c: Context,
  props: PropsWithChildren<PageProps>,
  { status = 200, formTargets = [] as string[], frames = false } = {},
): Response | Promise<Response> {
  const { style, logo, document } = writePage(props);
  return c.html(document, status as 200, {
    "content-security-policy": [
      "default-src 'none'",
      `style-src 'sha256-${hashOf(style)}'`,
      ...(props.script === undefined ? [] : [`script-src 'sha256-${hashOf(props.script)}'`]),
      ...(logo ? ["img-src 'self'"] : []),
      ...(frames ? ["frame-src 'self'"] : []),
      ["form-action 'self'", ...formTargets].join(" "),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "content-language": props.visitor.texts.language,
    vary: "Accept-Language",
    "x-frame-options": "DENY",
  });
}
