/** @jsxImportSource hono/jsx */
import type { FC } from "hono/jsx";
import { leaveReasons } from "@/db/enums";
import { longestComment, type Preferences } from "@/lib/domain/opt-outs/schema";
import type { Visitor } from "./frame";
import { HiddenFields, PostButton } from "./parts";

/** Where a page's forms go, and whose page it is. */
export interface PageForm {
  visitor: Visitor;
  action: string;
  preferences: Preferences;
}

export const Topics: FC<PageForm> = ({ visitor, action, preferences }) => {
  const { text } = visitor.texts;
  return (
    <section aria-labelledby="topics">
      <h2 id="topics">{text("preferences.topics")}</h2>
      <p class="soft">{text("preferences.topics.lead")}</p>
      <ul class="rows">
        {preferences.topics.map(({ id, name, description, left }) => (
          <li>
            <div>
              <p class="name">
                <bdi>{name}</bdi>
              </p>
              {description !== "" && (
                <p class="soft">
                  <bdi>{description}</bdi>
                </p>
              )}
              <p class="soft">{text(left ? "preferences.topic.off" : "preferences.topic.on")}</p>
            </div>
            <PostButton
              visitor={visitor}
              action={action}
              fields={{ action: left ? "join-topic" : "leave-topic", topic: id }}
              label={text(left ? "preferences.rejoin" : "preferences.leave")}
              about={`${text(left ? "preferences.rejoin" : "preferences.leave")}: ${name}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
};

export const Pause: FC<PageForm> = ({ visitor, action, preferences }) => {
  const { text, date } = visitor.texts;
  const { pausedUntil, brand } = preferences;
  const button = (fields: Record<string, string>, label: string) => (
    <PostButton visitor={visitor} action={action} fields={fields} label={label} />
  );
  return (
    <section aria-labelledby="pause">
      <h2 id="pause">{text("preferences.pause")}</h2>
      <p class="soft">
        {pausedUntil
          ? text("preferences.paused", { until: date(pausedUntil) })
          : text("preferences.pause.lead", { project: brand.project })}
      </p>
      <div class="actions">
        {pausedUntil && button({ action: "resume" }, text("preferences.resume"))}
        {[30, 90].map((days) =>
          button({ action: "pause", days: String(days) }, text("preferences.pause.days", { days })),
        )}
      </div>
    </section>
  );
};

export const Frequency: FC<PageForm> = ({ visitor, action, preferences }) => {
  const { text } = visitor.texts;
  const { weekly } = preferences;
  return (
    <section aria-labelledby="frequency">
      <h2 id="frequency">{text("preferences.frequency")}</h2>
      <p class="soft">
        {text(weekly ? "preferences.frequency.weekly" : "preferences.frequency.normal")}
      </p>
      <div class="actions">
        <PostButton
          visitor={visitor}
          action={action}
          fields={{ action: weekly ? "normal" : "weekly" }}
          label={text(weekly ? "preferences.normal" : "preferences.weekly")}
        />
      </div>
    </section>
  );
};

/** Leaving everything, with a reason from those who care to give one. */
export const LeaveAll: FC<PageForm & { primary?: boolean }> = (props) => {
  const { visitor, action, primary = false } = props;
  const { text } = visitor.texts;
  return (
    <form method="post" action={action} class="stack">
      <HiddenFields visitor={visitor} fields={{ action: "leave-all" }} />
      <div class="field">
        <label for="reason">{text("preferences.reason")}</label>
        <select id="reason" name="reason">
          <option value="">{text("preferences.reason.none")}</option>
          {leaveReasons.map((reason) => (
            <option value={reason}>{text(`preferences.reason.${reason}`)}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="comment">{text("preferences.comment")}</label>
        <textarea id="comment" name="comment" rows={2} maxlength={longestComment}></textarea>
      </div>
      <div class="actions">
        <button type="submit" {...(primary ? { class: "primary" } : {})}>
          {text("preferences.leaveAll")}
        </button>
      </div>
    </form>
  );
};
