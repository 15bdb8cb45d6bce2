/** @jsxImportSource hono/jsx */
import type { FC } from "hono/jsx";
import type { PageForm } from "./choices";
import { HiddenFields, PostButton } from "./parts";

/** Name, at once, and address, once it is confirmed there. */
export const Details: FC<PageForm> = ({ visitor, action, preferences }) => {
  const { text } = visitor.texts;
  const { firstName, lastName, blocked } = preferences;
  const names = { firstName, lastName };
  return (
    <section aria-labelledby="person">
      <h2 id="person">{text("preferences.person")}</h2>
      <form method="post" action={action} class="stack">
        <HiddenFields visitor={visitor} fields={{ action: "name" }} />
        {(["firstName", "lastName"] as const).map((name) => (
          <div class="field">
            <label for={name}>{text(`preferences.${name}`)}</label>
            <input
              type="text"
              id={name}
              name={name}
              value={names[name]}
              maxlength={200}
              autocomplete={name === "firstName" ? "given-name" : "family-name"}
              dir="auto"
            />
          </div>
        ))}
        <div class="actions">
          <button type="submit">{text("preferences.saveName")}</button>
        </div>
      </form>
      {!blocked && (
        <form method="post" action={action} class="stack">
          <HiddenFields visitor={visitor} fields={{ action: "address" }} />
          <div class="field">
            <label for="email">{text("preferences.address.new")}</label>
            <span class="soft" id="email-hint">
              {text("preferences.address.lead")}
            </span>
            <input
              type="email"
              id="email"
              name="email"
              required
              maxlength={254}
              autocomplete="email"
              aria-describedby="email-hint"
            />
          </div>
          <div class="actions">
            <button type="submit">{text("preferences.address.change")}</button>
          </div>
        </form>
      )}
    </section>
  );
};

/** A copy of what is stored, and its deletion: both through a mail to the person's own address. */
export const OwnData: FC<PageForm> = ({ visitor, action, preferences }) => {
  const { text } = visitor.texts;
  const { brand, email, blocked, moved } = preferences;
  const lead = blocked ? "blocked" : moved ? "moved" : "lead";
  return (
    <section aria-labelledby="data">
      <h2 id="data">{text("preferences.data")}</h2>
      <p class="soft">{text(`preferences.data.${lead}`, { email, project: brand.project })}</p>
      {lead === "lead" && (
        <div class="actions">
          {(["download", "erase"] as const).map((kind) => (
            <PostButton
              visitor={visitor}
              action={action}
              fields={{ action: kind }}
              label={text(`preferences.data.${kind}`)}
            />
          ))}
        </div>
      )}
    </section>
  );
};
