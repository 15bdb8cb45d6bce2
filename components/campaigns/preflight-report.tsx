"use client";

import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { useId, useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useProjectPath } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { Link, textLink } from "@/components/ui/link";
import { count, counted } from "@/components/ui/numbers";
import type {
  AdvisoryFinding,
  BlockingFinding,
  PreflightPlace,
} from "@/lib/domain/preflight/schema";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";
import type { Draft } from "./draft";
import { placeWords } from "./jump";
import type { PreflightState } from "./use-preflight";

/** Tall enough for a finger (WCAG 2.2, 2.5.8), although several stand below one another. */
const wayLink = `${textLink} inline-flex min-h-6 items-center text-left text-xs`;

type Finding = AdvisoryFinding | BlockingFinding;

/** For information only: nothing has to be done about these. */
const mere = new Set<Finding["code"]>(["unsubscribe_added", "warm_up", "links_not_checked"]);
/** Already said by the list of steps beside the report. */
const toDo = new Set<Finding["code"]>(["incomplete", "sender_not_verified"]);
/** In a narrow column. */
const mostCompact = 4;

const kinds = {
  blocking: { icon: CircleAlert, mark: "text-danger" },
  advisory: { icon: TriangleAlert, mark: "text-warning" },
  info: { icon: Info, mark: "text-info" },
} as const;
const kindWords = phrases({
  blocking: "Prevents sending",
  advisory: "Worth a look",
  info: "For information",
});

function summary(problems: number, advisory: readonly AdvisoryFinding[]): string {
  const notes = advisory.filter(({ code }) => !mere.has(code)).length;
  if (problems > 0) {
    return t("{count, plural, one {# thing prevents} other {# things prevent}} sending", {
      count: problems,
    });
  }
  return notes > 0 ? counted(notes, "thing to look at", "things to look at") : t("Nothing found");
}

/** What the email is written in; the design is null for HTML. */
type Written = Pick<Draft, "templateId" | "design">;

/** What the pre-flight found, the most serious first, each with a link to its place. */
export function PreflightReport({
  preflight: { report, error, checking, retry },
  draft,
  onGoTo,
  compact = false,
}: {
  preflight: PreflightState;
  draft: Written;
  /** null: what needs fixing is not on this page. */
  onGoTo: ((place: PreflightPlace) => void) | null;
  /** Shown beside the steps: only the first few, leaving out what the steps say themselves. */
  compact?: boolean;
}) {
  const id = useId();
  const [all, setAll] = useState(false);
  const { blocking = [], advisory = [] } = report ?? {};
  const problems = blocking.filter(({ code }) => !compact || !toDo.has(code));
  const findings: Finding[] = [...problems, ...advisory];
  const shown = compact && !all ? findings.slice(0, mostCompact) : findings;
  return (
    <section aria-labelledby={id} data-testid="preflight" className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-2">
        <h3 id={id} className="eyebrow">
          {t("Pre-flight")}
        </h3>
        <p role="status" className="text-xs text-faint">
          {checking
            ? t("Checking…")
            : error
              ? t("Not checked")
              : report
                ? summary(problems.length, advisory)
                : ""}
        </p>
      </div>
      {error !== null && error !== undefined && (
        <div className="text-sm text-soft">
          <p>{messageOf(error)}</p>
          <Button size="sm" variant="ghost" className="-ml-2.5" onClick={retry}>
            {t("Check again")}
          </Button>
        </div>
      )}
      {!report && checking && (
        <p className="text-sm text-faint">
          {t("Checking the placeholders against your audience, and the links…")}
        </p>
      )}
      {report && findings.length === 0 && !error && (
        <p className="flex items-center gap-2 text-sm text-soft">
          <CircleCheck className="size-4 text-success" aria-hidden />{" "}
          {t("Nothing stands in its way.")}
        </p>
      )}
      {shown.length > 0 && (
        <ul className="flex flex-col gap-3 text-sm">
          {shown.map((finding, index) => (
            <FindingRow
              key={`${finding.code} ${index}`}
              finding={finding}
              kind={
                index < problems.length ? "blocking" : mere.has(finding.code) ? "info" : "advisory"
              }
              draft={draft}
              onGoTo={onGoTo}
            />
          ))}
        </ul>
      )}
      {shown.length < findings.length && (
        <div>
          <Button size="sm" variant="ghost" className="-ml-2.5" onClick={() => setAll(true)}>
            {t("Show all {count}", { count: count(findings.length) })}
          </Button>
        </div>
      )}
    </section>
  );
}

function FindingRow({
  finding: { code, message, places, suggestion, examples },
  kind,
  draft,
  onGoTo,
}: {
  finding: Finding;
  kind: keyof typeof kinds;
  draft: Written;
  onGoTo: ((place: PreflightPlace) => void) | null;
}) {
  const { icon: Icon, mark } = kinds[kind];
  const end = message.indexOf(". ");
  const [headline, rest] =
    end === -1 ? [message, ""] : [message.slice(0, end + 1), message.slice(end + 2)];
  const people = code === "placeholder_missing" ? examples.slice(0, 3) : [];
  return (
    <li className="flex items-start gap-2.5" data-code={code}>
      <Icon className={`mt-0.5 size-4 shrink-0 ${mark}`} role="img" aria-label={kindWords[kind]} />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">{headline}</p>
        {rest && <p className="text-soft">{rest}</p>}
        {people.length > 0 && (
          <p className="text-xs text-faint">
            {t("For example {people}", { people: people.join(", ") })}
          </p>
        )}
        {suggestion && (
          <p className="mt-1 text-xs text-soft">
            {rich("Try {suggestion}", {
              suggestion: <code className="font-mono text-ink">{suggestion}</code>,
            })}
          </p>
        )}
        <Ways code={code} places={places} draft={draft} onGoTo={onGoTo} />
      </div>
    </li>
  );
}

/** One button for each place, the first few; settings elsewhere are links. */
function Ways({
  code,
  places,
  draft: { templateId, design },
  onGoTo,
}: {
  code: Finding["code"];
  places: readonly PreflightPlace[];
  draft: Written;
  onGoTo: ((place: PreflightPlace) => void) | null;
}) {
  const path = useProjectPath();
  // Of several places with the same words, the first.
  const ways = [
    ...new Map(places.toReversed().map((place) => [placeWords(place, design !== null), place])),
  ]
    .reverse()
    .slice(0, 3);
  const elsewhere =
    code === "postal_address_missing" || code === "paced"
      ? {
          href: path(code === "paced" ? "settings#pace" : "settings"),
          words: t("Open the settings"),
        }
      : ["warm_up", "warm_up_advised", "dmarc_problem", "dns_problem"].includes(code)
        ? { href: path("domains"), words: t("Open the domains") }
        : null;
  if (elsewhere) {
    return (
      <Link className={wayLink} href={elsewhere.href}>
        {elsewhere.words}
      </Link>
    );
  }
  if (ways.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-x-3">
      {ways.map(([words, place]) =>
        place.path === "templateId" && templateId ? (
          <Link key={words} className={wayLink} href={path(`templates/${templateId}`)}>
            {t("Open {words}", { words })}
          </Link>
        ) : onGoTo === null ? null : (
          <button key={words} type="button" className={wayLink} onClick={() => onGoTo(place)}>
            {t("Go to {words}", { words })}
          </button>
        ),
      )}
    </div>
  );
}
