/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import type { PersonRequest } from "@/lib/domain/person-requests/schema";
import type { TextKey } from "@/lib/ground/texts/texts";
import { answerPage, visitorOf } from "./frame";
import { PostButton, Rich } from "./parts";

type RequestPage =
  | `request.${PersonRequest["kind"]}.open`
  | "request.address.done"
  | "request.address.undone"
  | "request.address.stale"
  | "request.expired"
  | "request.gone";

/** What the page says, by what was asked for and where it stands. */
function wordsOf({ kind, state }: PersonRequest): RequestPage {
  if (state === "open") return `request.${kind}.open`;
  if (state === "done" || state === "undone" || state === "stale")
    return `request.address.${state}`;
  return `request.${state}`;
}
/** What the link in a mail that asks to confirm something shows; only the button confirms. */
export function answerPersonRequest(
  c: Context,
  request: PersonRequest,
  token: string,
): Response | Promise<Response> {
  const { brand, person, email, kind, state, undoable } = request;
  const visitor = visitorOf(c, { person, project: brand?.language ?? null });
  const { texts } = visitor;
  const words = wordsOf(request);
  const values = { project: brand?.project ?? "", email };
  const button = (action: "confirm" | "undo", label: TextKey) => (
    <PostButton
      visitor={visitor}
      action={`/t/request/${token}`}
      fields={{ action }}
      label={texts.text(label)}
      primary
    />
  );
  return answerPage(c, {
    visitor,
    brand,
    title: texts.text(`${words}.title`, values),
    lead: <Rich texts={texts} of={`${words}.lead`} values={values} />,
    children: (
      <div class="actions">
        {state === "open" && button("confirm", `request.${kind}.open.button`)}
        {undoable && button("undo", "request.address.undo")}
        {(state === "done" || state === "undone") && request.token !== null && (
          <a class="button" href={`/preferences/${request.token}`}>
            {texts.text("confirm.choose")}
          </a>
        )}
      </div>
    ),
  });
}
