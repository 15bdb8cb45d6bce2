import { BellOff, CircleCheck, CircleSlash, Clock, type LucideIcon } from "lucide-react";
import type { SuppressionReason } from "@/db/enums";
import { QuietPage } from "@/components/shell/plain-page";
import { Callout } from "@/components/ui/callout";
import type { ListPreference, Preferences } from "@/lib/domain/opt-outs/schema";
import { LinkForm } from "./link-form";
import { noticeOf, type Visit } from "./notice";

const standings: Record<ListPreference["status"], { icon: LucideIcon; text: string }> = {
  subscribed: { icon: CircleCheck, text: "You receive it" },
  unsubscribed: { icon: CircleSlash, text: "You do not receive it" },
  unconfirmed: { icon: Clock, text: "Waiting for you to confirm" },
  stopped: { icon: BellOff, text: "Stopped: an email bounced or was reported as spam" },
};

/** On a list whose mail is kept back: by leaving everything, or because the address is blocked. */
const keptBack = { icon: BellOff, text: "You are on this list, but it is not sent to you" };

/** Why nothing comes. No button here lifts it: the project has to. */
const blockedText = (project: string): Record<SuppressionReason, string> => ({
  complaint: `You reported mail from ${project} as spam, so nothing more is sent to this address. If that was a mistake, write to ${project}.`,
  hard_bounce: `Mail from ${project} to this address came back, so nothing more is sent to it. If the address works again, write to ${project}.`,
  manual: `${project} has stopped sending to this address. If you expect its mail, write to ${project}.`,
});

function ListRow({
  list,
  action,
  reached,
  canLeave,
  canJoin,
}: {
  list: ListPreference;
  action: string;
  /** Whether what is sent to lists reaches the address at all. */
  reached: boolean;
  canLeave: boolean;
  canJoin: boolean;
}) {
  const { icon: Icon, text } =
    list.status === "subscribed" && !reached ? keptBack : standings[list.status];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-32">
        <p className="font-medium break-words">{list.name}</p>
        <p className="flex items-start gap-1.5 text-sm text-soft">
          <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
          <span>{text}</span>
        </p>
      </div>
      {(list.status === "subscribed" ? canLeave : canJoin && list.status !== "stopped") && (
        <LinkForm
          action={action}
          fields={{ action: list.status === "subscribed" ? "leave" : "join", list: list.id }}
          label={
            list.status === "subscribed"
              ? "Unsubscribe"
              : list.status === "unsubscribed"
                ? "Subscribe again"
                : "Subscribe"
          }
          about={list.status === "subscribed" ? `from ${list.name}` : `to ${list.name}`}
        />
      )}
    </li>
  );
}

/** The one button for somebody who pressed "Unsubscribe" in an email. */
function Farewell({ preferences, action }: { preferences: Preferences; action: string }) {
  const list = preferences.lists.find(({ linked, status }) => linked && status === "subscribed");
  return (
    <div className="mb-6">
      <LinkForm
        action={action}
        fields={list ? { action: "leave", list: list.id } : { action: "leave-all" }}
        label={list ? `Unsubscribe from ${list.name}` : "Unsubscribe from everything"}
        variant="primary"
        size="lg"
      />
    </div>
  );
}

/** What a project sends a person, which anybody with a link from its mail can change. */
export function PreferencesView({
  preferences,
  token,
  visit,
}: {
  preferences: Preferences;
  token: string;
  visit: Visit;
}) {
  const { project, email, consent, blocked, lists } = preferences;
  const action = `/t/preferences/${token}`;
  const leftAll = consent === "unsubscribed";
  const notice = noticeOf(preferences, visit);
  const linked = lists.find((list) => list.linked);
  const leaving =
    visit.unsubscribe && !notice && !leftAll && (!linked || linked.status === "subscribed");
  return (
    <QuietPage
      brand={project}
      title={leaving ? "Unsubscribe?" : "Your email preferences"}
      lead={
        <>
          What {project} sends to <strong className="font-medium break-words">{email}</strong>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {notice && (
          <Callout kind="success" alert>
            {notice}
          </Callout>
        )}
        {blocked && <Callout kind="warning">{blockedText(project)[blocked]}</Callout>}
        {leaving && <Farewell preferences={preferences} action={action} />}
        {leftAll && (
          <section aria-labelledby="left-all">
            <h2 id="left-all" className="font-medium">
              You are unsubscribed from everything
            </h2>
            <p className="mt-1 mb-3 text-sm text-soft">
              Only emails about things you do yourself, such as receipts, still reach you.
              {!blocked &&
                lists.some(({ status }) => status === "subscribed") &&
                " If you subscribe again, you will get the lists below again."}
            </p>
            {!blocked && (
              <LinkForm
                action={action}
                fields={{ action: "return" }}
                label="Subscribe again"
                variant="primary"
              />
            )}
          </section>
        )}
        {lists.length > 0 && (
          <section aria-labelledby="lists">
            <h2 id="lists" className="eyebrow mb-1">
              Lists
            </h2>
            <ul className="divide-y border-y">
              {lists.map((list) => (
                <ListRow
                  key={list.id}
                  list={list}
                  action={action}
                  reached={!leftAll && !blocked}
                  canLeave={!leftAll && !(leaving && list.linked)}
                  canJoin={!leftAll && !blocked && !(leaving && list.linked)}
                />
              ))}
            </ul>
          </section>
        )}
        {!leftAll && !(leaving && !linked) && (
          <section aria-labelledby="everything">
            <h2 id="everything" className="eyebrow mb-1">
              Everything
            </h2>
            <p className="mb-3 text-sm text-soft">
              If you unsubscribe from everything, {project} will no longer send you any list or
              newsletter. Emails about things you do yourself, such as receipts, will still reach
              you.
            </p>
            <LinkForm
              action={action}
              fields={{ action: "leave-all" }}
              label="Unsubscribe from everything"
            />
          </section>
        )}
      </div>
    </QuietPage>
  );
}
