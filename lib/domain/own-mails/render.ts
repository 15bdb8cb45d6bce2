import { AppError, invalid, isAppError } from "@/lib/ground/errors";
import { renderOne } from "@/lib/mail/content/rendering";
import { confirmLink } from "./schema";

/** What a project writes itself instead of a mail of ours. */
export interface OwnMail {
  /** uuid of its template. */
  templateId: string;
  subject: string;
  html: string;
  text: string;
}

export interface OwnTemplate {
  id: string;
  subject: string;
  body: string;
}

/** The caller may hold locks: it does not wait for a project's other renderings longer than this. */
const mostMilliseconds = 3_000;
const tooLate = "takes too long to render";

/** An address in a link that can be pressed: not in a comment, nor as mere text. */
function leadsTo(html: string, text: string, url: string): boolean {
  const targets = [...html.matchAll(/\shref\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)];
  return (
    text.includes(url) &&
    targets.some(([, double, single, bare]) => [double, single, bare].includes(url))
  );
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new AppError("UNAVAILABLE", `body: ${tooLate}`, [{ path: "body", message: tooLate }]),
        ),
      mostMilliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Renders a template for one person; `confirmUrl`: the link it must contain, null: none. Throws VALIDATION_ERROR
 * naming `subject` or `body`, UNAVAILABLE when it takes too long.
 */
export async function renderOwnMail(
  projectId: string,
  { id, subject, body }: OwnTemplate,
  variables: Record<string, unknown>,
  confirmUrl: string | null,
): Promise<OwnMail> {
  const [inSubject, inBody] = await inTime(
    Promise.all([
      renderOne(projectId, { source: subject, kind: "subject", path: "subject" }, variables),
      renderOne(projectId, { source: body, kind: "html", path: "body" }, variables),
    ]),
  );
  if (inSubject.rendered.trim() === "") throw invalid("subject", "is empty once it is filled in");
  const { rendered: html, text } = inBody;
  if (confirmUrl !== null && !leadsTo(html, text, confirmUrl)) {
    throw invalid("body", `has no link to ${confirmLink}`);
  }
  return { templateId: id, subject: inSubject.rendered, html, text };
}

/** What is wrong with a template, in words; throws what is not the template's fault. */
export function faultOf(error: unknown): string {
  if (isAppError(error)) return error.details?.[0]?.message ?? error.message;
  throw error;
}
