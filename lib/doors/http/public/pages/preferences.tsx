/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import type { FC } from "hono/jsx";
import type { ListPreference, Preferences } from "@/lib/domain/opt-outs/schema";
import { Frequency, LeaveAll, Pause, Topics, type PageForm } from "./choices";
import { Details, OwnData } from "./details";
import { answerPage, visitorOf, type Visitor } from "./frame";
import { isRefusal, noticeOf, type Visit } from "./notice";
import { Notice, PostButton, Rich } from "./parts";

interface Form {
  visitor: Visitor;
  action: string;
}

/** A person reads the same whether the project gave up their domain or their own address. */
const blockedText = (reason: NonNullable<Preferences["blocked"]>) =>
  `preferences.blocked.${reason === "domain" ? "manual" : reason}` as const;

const ListRow: FC<
  Form & {
    list: ListPreference;
    /** Whether mail to lists reaches the address at all. */
    reached: boolean;
    canLeave: boolean;
    canJoin: boolean;
  }
> = ({ visitor, action, list, reached, canLeave, canJoin }) => {
  const { text } = visitor.texts;
  const { id, name, status } = list;
  const isOn = status === "subscribed";
  const button = isOn ? "leave" : status === "unsubscribed" ? "rejoin" : "join";
  return (
    <li>
      <div>
        <p class="name">
          <bdi>{name}</bdi>
        </p>
        <p class="soft">{text(`preferences.list.${isOn && !reached ? "keptBack" : status}`)}</p>
      </div>
      {(isOn ? canLeave : canJoin && status !== "stopped") && (
        <PostButton
          visitor={visitor}
          action={action}
          fields={{ action: isOn ? "leave" : "join", list: id }}
          label={text(`preferences.${button}`)}
          about={`${text(`preferences.${button}`)}: ${name}`}
        />
      )}
    </li>
  );
};

/** The one button for somebody who pressed "Unsubscribe" in an email. */
const Farewell: FC<PageForm> = ({ visitor, action, preferences }) => {
  const { text } = visitor.texts;
  const list = preferences.lists.find(({ linked, status }) => linked && status === "subscribed");
  if (!list) return <LeaveAll {...{ visitor, action, preferences }} primary />;
  return (
    <div class="actions">
      <PostButton
        visitor={visitor}
        action={action}
        fields={{ action: "leave", list: list.id }}
        label={text("preferences.leave.about", { name: list.name })}
        primary
      />
    </div>
  );
};

const LeftAll: FC<PageForm> = ({ visitor, action, preferences }) => {
  const { text } = visitor.texts;
  const { blocked, lists } = preferences;
  const hasLists = lists.some(({ status }) => status === "subscribed");
  return (
    <section aria-labelledby="left-all">
      <h2 id="left-all">{text("preferences.leftAll.title")}</h2>
      <p class="soft">
        {text("preferences.leftAll.lead")}
        {!blocked && hasLists && ` ${text("preferences.leftAll.lists")}`}
      </p>
      {!blocked && (
        <div class="actions">
          <PostButton
            visitor={visitor}
            action={action}
            fields={{ action: "return" }}
            label={text("preferences.rejoin")}
            primary
          />
        </div>
      )}
    </section>
  );
};

/** What a project sends a person, which anybody with a link from that mail can change. */
export function preferencesPage(
  visitor: Visitor,
  preferences: Preferences,
  { token, visit }: { token: string; visit: Visit },
) {
  const { brand, email, consent, blocked, lists } = preferences;
  const { project } = brand;
  const { texts } = visitor;
  const { text } = texts;
  const form = { visitor, action: `/t/preferences/${token}`, preferences };
  const leftAll = consent === "unsubscribed";
  const notice = noticeOf(preferences, visit, texts);
  const linked = lists.find((list) => list.linked);
  const leaving =
    visit.unsubscribe && !notice && !leftAll && (!linked || linked.status === "subscribed");
  return {
    visitor,
    brand,
    title: text(leaving ? "preferences.leaving" : "preferences.title"),
    lead: <Rich texts={texts} of="preferences.lead" values={{ project, email }} />,
    children: (
      <>
        {notice && (
          <Notice warning={isRefusal(visit)}>
            {visit.undo === null ? notice : <p>{notice}</p>}
            {visit.undo !== null && (
              <PostButton
                {...{ visitor, action: form.action }}
                fields={{ action: "undo", undo: visit.undo }}
                label={text("preferences.undo")}
              />
            )}
          </Notice>
        )}
        {blocked && <Notice warning>{text(blockedText(blocked), { project })}</Notice>}
        {leaving && <Farewell {...form} />}
        {leftAll && <LeftAll {...form} />}
        {lists.length > 0 && (
          <section aria-labelledby="lists">
            <h2 id="lists">{text("preferences.lists")}</h2>
            <ul class="rows">
              {lists.map((list) => (
                <ListRow
                  {...form}
                  list={list}
                  reached={!leftAll && !blocked}
                  canLeave={!leftAll && !(leaving && list.linked)}
                  canJoin={!leftAll && !blocked && !(leaving && list.linked)}
                />
              ))}
            </ul>
          </section>
        )}
        {!leftAll && preferences.topics.length > 0 && <Topics {...form} />}
        {!leftAll && (
          <>
            <Pause {...form} />
            <Frequency {...form} />
          </>
        )}
        {!leftAll && !(leaving && !linked) && (
          <section aria-labelledby="everything">
            <h2 id="everything">{text("preferences.everything")}</h2>
            <p class="soft">{text("preferences.everything.lead", { project })}</p>
            <LeaveAll {...form} />
          </section>
        )}
        <Details {...form} />
        <OwnData {...form} />
      </>
    ),
  };
}

export function answerPreferences(
  c: Context,
  preferences: Preferences,
  opened: { token: string; visit: Visit },
): Response | Promise<Response> {
  const { brand, person } = preferences;
  const visitor = visitorOf(c, { person, project: brand.language });
  return answerPage(c, preferencesPage(visitor, preferences, opened));
}
