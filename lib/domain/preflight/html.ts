import { env } from "@/lib/ground/env/env";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { keptText } from "@/lib/ground/texts/kept-text";
import { linkIdOf } from "@/lib/mail/tracking/link-registry";
import { mailUrls } from "@/lib/mail/tracking/urls";
import type { CampaignMail } from "@/lib/domain/campaigns/mail";
import type { RenderedMail } from "@/lib/domain/campaigns/mail-problems";
import { escapeHtml } from "@/lib/ground/escape-html";
import { amount } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";
import { readAnswers, type Answer } from "./answers";
import { advisory, placesOf } from "./findings";
import type { AdvisoryFinding, PreflightPlace } from "./schema";

/** Beyond this size, Gmail shows only the beginning and a link to the rest. */
const clippedBytes = 102 * 1024;
const heavyImageBytes = 1024 * 1024;
const mostLinks = 50;
const mostImages = 30;

/** Of one thing in the mail, where it was written. */
type PlacesByText = Map<string, PreflightPlace[]>;

const sourceOf = ({ content }: CampaignMail) => content.html ?? "";

/** In the source as written, or with HTML's character references. */
const places = (mail: CampaignMail, text: string) =>
  placesOf(mail.paths.body, sourceOf(mail), [...new Set([text, escapeHtml(text)])]);

/** Our own ways out, the view in a browser: made for each person. */
function isOurs(url: string): boolean {
  const { APP_URL } = env();
  return ["preferences", "view", "confirm", "t"].some((path) =>
    url.startsWith(`${APP_URL}/${path}/`),
  );
}

/**
 * Whether an address is the same for everybody: one that contains a person's data is not called on their behalf.
 */
const isWritten = ({ mail }: RenderedMail, text: string) =>
  [text, escapeHtml(text)].some((written) => sourceOf(mail).includes(written));

function add(placesOf: PlacesByText, key: string, mail: CampaignMail): void {
  if (!placesOf.has(key)) placesOf.set(key, places(mail, key));
}

/** Bytes of the HTML that goes out: links grow when their clicks are counted. */
export function sentBytes(
  { html, inspected }: RenderedMail,
  { opens, clicks }: { opens: boolean; clicks: boolean },
): number {
  const emailId = newUnownedId();
  const urls = mailUrls(env().APP_URL);
  const tracked = urls.click({ emailId, linkId: linkIdOf(emailId, ""), links: 1 }).length;
  const grown = inspected.links
    .filter(({ url }) => clicks && url !== null && !isOurs(url))
    .reduce((sum, { href }) => sum + tracked - href.length, 0);
  const pixel = opens ? urls.open(emailId).length + 100 : 0;
  return Buffer.byteLength(html ?? "") + grown + pixel;
}

/** What is wrong with a mail's HTML as people get it, found without any request. */
export function judgeHtml(rendered: readonly RenderedMail[], bytes: number): AdvisoryFinding[] {
  const findings: AdvisoryFinding[] = [];
  const invalid: PlacesByText = new Map();
  const silent: PlacesByText = new Map();
  const embedded: PlacesByText = new Map();
  for (const { mail, inspected } of rendered) {
    for (const { href, url } of inspected.links) {
      // Addresses built from people's data are judged by their missing placeholders.
      if (url === null && !leadsSomewhere(href)) add(invalid, href, mail);
    }
    for (const { src, alt } of inspected.images) {
      if (alt === null) add(silent, src, mail);
      if (/^data:/i.test(src)) add(embedded, src.slice(0, 60), mail);
    }
  }
  const placesIn = (placesOf: PlacesByText) => [...placesOf.values()].flat();
  if (invalid.size > 0) {
    const [first] = invalid.keys();
    findings.push(
      advisory(
        "link_invalid",
        first
          ? t(
              "{count, plural, one {# link leads} other {# links lead}} nowhere: “{address}” is not a web address.",
              { count: invalid.size, address: first },
            )
          : t(
              "{count, plural, one {# link leads} other {# links lead}} nowhere: an empty address is not a web address.",
              { count: invalid.size },
            ),
        { places: placesIn(invalid), count: invalid.size, examples: [...invalid.keys()] },
      ),
    );
  }
  if (bytes > clippedBytes) {
    const message = t(
      "The email is {kilobytes} KB. Gmail cuts emails off after 102 KB, often just before the footer.",
      { kilobytes: String(Math.round(bytes / 1024)) },
    );
    const [first] = rendered;
    findings.push(
      advisory("size_over_102_kb", message, {
        places: first ? placesOf(first.mail.paths.body, "", []) : [],
      }),
    );
  }
  if (silent.size > 0) {
    findings.push(
      advisory(
        "image_without_alt",
        t(
          '{count, plural, one {# picture has} other {# pictures have}} no alt text. Many people read email without pictures or have it read to them; use alt="" where it is only decoration.',
          { count: silent.size },
        ),
        { places: placesIn(silent), count: silent.size, examples: [...silent.keys()] },
      ),
    );
  }
  if (embedded.size > 0) {
    findings.push(
      advisory(
        "image_embedded",
        t(
          "{count, plural, one {# picture is} other {# pictures are}} written into the HTML, which Gmail and Outlook do not show. Put pictures under Media and link to them.",
          { count: embedded.size },
        ),
        { places: placesIn(embedded), count: embedded.size },
      ),
    );
  }
  return findings;
}

const leadsSomewhere = (href: string) => /^(?:mailto:|tel:|sms:|#.)/i.test(href);

/** What links and pictures answer. */
export async function judgeAnswers(
  rendered: readonly RenderedMail[],
): Promise<{ findings: AdvisoryFinding[]; links: number; images: number }> {
  const links: PlacesByText = new Map();
  const images: PlacesByText = new Map();
  for (const shown of rendered) {
    for (const { url } of shown.inspected.links) {
      if (url && !isOurs(url) && isWritten(shown, url)) add(links, url, shown.mail);
    }
    for (const { url } of shown.inspected.images) {
      if (url && isWritten(shown, url)) add(images, url, shown.mail);
    }
  }
  const asked = [
    [...links.keys()].slice(0, mostLinks),
    [...images.keys()].slice(0, mostImages),
  ] as const;
  const [linkAnswers, imageAnswers] = await Promise.all(asked.map(readAnswers));
  const findings: AdvisoryFinding[] = [];
  const sort = (urls: readonly string[], answers: readonly Answer[] = []) => {
    const by = (kind: Answer["kind"]) => urls.filter((_, index) => answers[index]?.kind === kind);
    return {
      answers,
      urls,
      broken: by("broken"),
      unreachable: by("unreachable"),
      unknown: by("unknown"),
    };
  };
  const [ofLinks, ofImages] = [sort(asked[0], linkAnswers), sort(asked[1], imageAnswers)];
  const say = (
    code: "link_broken" | "link_unreachable" | "image_broken" | "image_too_heavy",
    urls: readonly string[],
    placesOf: PlacesByText,
    message: string,
  ) => {
    if (urls.length === 0) return;
    const at = urls.flatMap((url) => placesOf.get(url) ?? []);
    findings.push(advisory(code, message, { places: at, count: urls.length, examples: urls }));
  };
  const reason = ({ urls, answers }: typeof ofLinks, url: string | undefined) => {
    const answer = answers[urls.indexOf(url ?? "")];
    return answer?.kind === "broken"
      ? t("it answers {status}", { status: String(answer.status) })
      : answer?.kind === "unreachable"
        ? keptText(answer.reason)
            .replace(/\.$/, "")
            .replace(/^./, (letter) => letter.toLowerCase())
        : "";
  };
  const { broken, unreachable } = ofLinks;
  say(
    "link_broken",
    broken,
    links,
    t(
      "{count, plural, one {# link leads} other {# links lead}} to a page that is not there: {url} ({reason}).",
      { count: broken.length, url: broken[0], reason: reason(ofLinks, broken[0]) },
    ),
  );
  say(
    "link_unreachable",
    unreachable,
    links,
    t("{count, plural, one {# link does} other {# links do}} not answer: {url} ({reason}).", {
      ...{ count: unreachable.length, url: unreachable[0] },
      reason: reason(ofLinks, unreachable[0]),
    }),
  );
  const lost = [...ofImages.broken, ...ofImages.unreachable];
  say(
    "image_broken",
    lost,
    images,
    t("{count, plural, one {# picture does} other {# pictures do}} not load: {url} ({reason}).", {
      ...{ count: lost.length, url: lost[0] },
      reason: reason(ofImages, lost[0]),
    }),
  );
  const weights = new Map(
    ofImages.urls.map((url, index) => {
      const answer = ofImages.answers[index];
      return [url, answer?.kind === "fine" ? (answer.bytes ?? 0) : 0];
    }),
  );
  const heavy = ofImages.urls.filter((url) => (weights.get(url) ?? 0) > heavyImageBytes);
  const megabytes = heavy.map((url) => ((weights.get(url) ?? 0) / 1024 / 1024).toFixed(1));
  say(
    "image_too_heavy",
    heavy,
    images,
    t(
      "{count, plural, one {# picture is} other {# pictures are}} larger than 1 MB ({sizes} MB): on a phone the email stays empty for a long time.",
      { count: heavy.length, sizes: megabytes.slice(0, 5).join(", ") },
    ),
  );
  const left = Math.max(0, links.size - mostLinks) + ofLinks.unknown.length;
  if (left > 0) {
    findings.push(
      advisory(
        "links_not_checked",
        t("{left} of {all} links could not be checked in time.", {
          left: amount(left),
          all: amount(links.size),
        }),
      ),
    );
  }
  return {
    findings,
    links: asked[0].length - ofLinks.unknown.length,
    images: asked[1].length - ofImages.unknown.length,
  };
}

/** Whether the author left the unsubscribe link to us. */
export function judgeWayOut(rendered: readonly RenderedMail[]): AdvisoryFinding[] {
  const own = /\{\{-?\s*(?:unsubscribeUrl|preferencesUrl)\b/;
  const without = rendered.find(
    ({ mail }) => mail.content.html?.trim() && !own.test(sourceOf(mail)),
  );
  return without
    ? [
        advisory(
          "unsubscribe_added",
          t(
            "An unsubscribe link will be added at the end. To place it yourself, use {{ unsubscribeUrl }}.",
          ),
          {
            places: placesOf(without.mail.paths.body, "", []),
            suggestion: '<a href="{{ unsubscribeUrl }}">Unsubscribe</a>',
          },
        ),
      ]
    : [];
}
