import { asc, eq } from "drizzle-orm";
import PostalMime from "postal-mime";
import type { Database } from "@/db/client";
import { capturedEmails } from "@/db/schema";
import { createForm, getForm } from "@/lib/domain/forms/forms";
import type { FormInput } from "@/lib/domain/forms/schema";
import { decodeId } from "@/lib/ground/ids/ids";
import { formStamp } from "@/lib/mail/tracking/tokens";
import { makeProject } from "@/lib/testing";
import { dispatchDue } from "./delivery";
import { makeList } from "./opt-outs";
import type { Clock } from "./travel-to";

/** Lets a project's waiting mail leave, and reads what was captured, oldest first. */
async function captureMail(db: Database, projectId: string) {
  await dispatchDue({ db, transport: null });
  const captured = await db
    .select({ raw: capturedEmails.raw, to: capturedEmails.envelopeTo })
    .from(capturedEmails)
    .where(eq(capturedEmails.projectId, projectId))
    .orderBy(asc(capturedEmails.id));
  return Promise.all(
    captured.map(async ({ raw, to }) => {
      const { subject = "", text = "" } = await PostalMime.parse(raw);
      return { to, subject, text, raw: Buffer.from(raw).toString("utf8") };
    }),
  );
}

interface Asking {
  headers?: Record<string, string>;
  /** The caller's address; without it, each call has one of its own. */
  from?: string;
}

interface App {
  fetch: (request: Request) => Response | Promise<Response>;
}

let callers = 0;

/** Visitors of an app's forms, whose database clock `travel` moves ahead. */
export function formVisitors(app: App, clock: Clock) {
  let aheadSeconds = 0;
  const send = async (path: string, init: RequestInit, { headers = {}, from }: Asking) => {
    const caller = from ?? `2001:db8:${(++callers).toString(16)}::1`;
    const all = { "x-forwarded-for": caller, "user-agent": "Browser/1", ...headers };
    return app.fetch(new Request(`http://localhost${path}`, { ...init, headers: all }));
  };
  const ask = (path: string, asking: Asking = {}) => send(path, {}, asking);
  const post = (path: string, fields: Record<string, string>, asking: Asking = {}) =>
    send(path, { method: "POST", body: new URLSearchParams(fields) }, asking);

  /** Presses the button on the page that a mail's link opens. */
  const confirm = (link: string) => post(new URL(link).pathname, {});
  const travel = async (seconds: number): Promise<void> => {
    aheadSeconds += seconds;
    await clock.travel(`${seconds} seconds`);
  };
  /**
   * A project with a form. `fill` sends it as if it had taken somebody half a minute to fill in.
   */
  const setUp = async (input: Partial<FormInput> & { list?: boolean } = {}) => {
    const project = await makeProject(clock.db, { name: "Acme" });
    const { list: wantsList = false, ...rest } = input;
    const list = wantsList ? await makeList(project.ctx, { name: "Weekly" }) : null;
    const form = await createForm(project.ctx, {
      name: "Footer",
      ...(list ? { listId: list.id } : {}),
      ...rest,
    });
    const uuid = decodeId("form", form.id) ?? "";
    const path = `/f/${form.id}`;
    const stampOf = (ageSeconds: number) =>
      formStamp(uuid, Math.floor(Date.now() / 1000) + aheadSeconds - ageSeconds);
    return {
      ...{ ...project, list, form, uuid, path, stampOf },
      fill: (fields: Record<string, string>, asking?: Asking) =>
        post(path, { stamp: stampOf(30), ...fields }, asking),
      mails: () => captureMail(clock.db, project.projectId),
      figures: async () => (await getForm(project.ctx, form.id)).figures,
    };
  };
  return { ask, post, confirm, travel, setUp };
}

export const linkIn = (text: string) => /http\S+\/f\/confirm\/[\w-]+/.exec(text)?.[0] ?? "";
