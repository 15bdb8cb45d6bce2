import { phrases } from "@/lib/ground/texts/t";
import {
  bold,
  button,
  center,
  columns,
  divider,
  footer,
  heading,
  left,
  link,
  list,
  news,
  product,
  section,
  social,
  spacer,
  starter,
  text,
  type Starter,
  type StarterIn,
} from "./starter-parts";
import { listStarters } from "./list-starters";
import type { StarterLanguage } from "./starter-words";
import { triggeredStarters } from "./triggered-starters";

const all: readonly StarterIn[] = [
  starter(
    "letter",
    "campaign",
    phrases(["Plain letter", "A few words from a person, without decoration."]),
    "A quick note",
    { background: "#ffffff", radius: 0, accent: "#1f5d8c" },
    () => [
      text(left, "Hello {firstName|there},"),
      text(
        left,
        "here is what I wanted to tell you. One thought, in two or three sentences, as you would say it.",
      ),
      text(
        left,
        "If you have a minute, ",
        link("have a look at it", "https://example.com/"),
        " and tell me what you think. Just reply to this email.",
      ),
      text(left, "All the best,", { type: "break" }, "Your name"),
      divider,
      footer(news),
    ],
  ),
  starter(
    "welcome",
    "program",
    phrases(["Welcome", "The first email after somebody signs up."]),
    "Welcome, {{ firstName | default: 'friend' }}",
    { background: "#f3ece1", accent: "#b52f15", headingFont: "serif", radius: 6 },
    () => [
      section(
        "#b52f15",
        "#ffffff",
        heading(1, center, "Good to have you here"),
        text(center, "Hello {firstName|friend}, your account is ready."),
      ),
      text(left, "Three things that are worth doing first:"),
      list(
        "numbers",
        [bold("Look around. "), "Everything is where you expect it."],
        [bold("Make it yours. "), "Add your name and a picture."],
        [bold("Invite somebody. "), "It is more fun with two."],
      ),
      button("Get started", center),
      text(left, "Questions? Reply to this email; a person reads it."),
      divider,
      footer("You get this email because you made an account with us."),
    ],
  ),
  starter(
    "newsletter",
    "campaign",
    phrases(["Newsletter", "One main story and two smaller ones."]),
    "What is new this month",
    { background: "#eef0ea", accent: "#2c6a43", headingFont: "serif" },
    () => [
      text(center, bold("The Monthly")),
      heading(1, center, "What is new this month"),
      text(
        left,
        "Hello {firstName|there}, here is the story everybody talked about. Say in two sentences why it matters to the reader.",
      ),
      button("Read the story"),
      divider,
      columns(
        [
          heading(2, left, "A smaller story"),
          text(left, "Two lines are enough to say what it is about."),
          text(left, link("Read on", "https://example.com/")),
        ],
        [
          heading(2, left, "And another one"),
          text(left, "Two lines are enough to say what it is about."),
          text(left, link("Read on", "https://example.com/")),
        ],
      ),
      divider,
      social,
      footer(news),
    ],
  ),
  starter(
    "announcement",
    "campaign",
    phrases(["Announcement", "One piece of news, large."]),
    "It is here",
    { background: "#16202b", sheet: "#ffffff", accent: "#1f5d8c", radius: 8 },
    () => [
      section(
        "#1f5d8c",
        "#ffffff",
        text(center, bold("NEW")),
        heading(1, center, "It is here."),
        text(center, "One sentence that says what it does for the reader."),
      ),
      text(
        center,
        "Why we made it, and what is different from today on. Three lines at most; the rest is on the page.",
      ),
      button("See how it works", center),
      spacer(16),
      columns(
        [heading(2, left, "Faster"), text(left, "What it saves.")],
        [heading(2, left, "Simpler"), text(left, "What is gone.")],
        [heading(2, left, "Yours"), text(left, "What stays.")],
      ),
      divider,
      footer(news),
    ],
  ),
  starter(
    "offer",
    "campaign",
    phrases(["Offer", "A discount with a code and an end."]),
    "20% off until Sunday",
    { background: "#fbe9dd", accent: "#97123b", headingFont: "slab", radius: 0 },
    () => [
      section(
        "#97123b",
        "#ffffff",
        heading(1, center, "20% off everything"),
        text(center, "Until Sunday at midnight"),
      ),
      text(center, "Hello {firstName|there}, your code is"),
      heading(2, center, "SUNDAY20"),
      button("Shop now", center),
      text(center, "One code per order. Not to be combined with other offers."),
      divider,
      social,
      footer(news),
    ],
  ),
  starter(
    "products",
    "campaign",
    phrases(["Product picks", "Three products with picture, price and link."]),
    "Picked for you",
    { background: "#f2f0eb", accent: "#855005" },
    () => [
      heading(1, left, "Picked for you"),
      text(left, "Hello {firstName|there}, three things we think you will like."),
      product("First product", "One line about what is good about it.", "29.00"),
      product("Second product", "One line about what is good about it.", "39.00"),
      product("Third product", "One line about what is good about it.", "49.00"),
      button("See everything", center),
      divider,
      footer(news),
    ],
  ),
  starter(
    "event",
    "campaign",
    phrases(["Invitation", "An event with time, place and an answer."]),
    "You are invited",
    { background: "#e9e4f0", accent: "#54307d", headingFont: "serif", radius: 10 },
    () => [
      text(center, "You are invited"),
      heading(1, center, "Name of the event"),
      columns(
        [
          heading(2, center, "When"),
          text(center, "Thursday, 12 March", { type: "break" }, "18:00 to 21:00"),
        ],
        [
          heading(2, center, "Where"),
          text(center, "Name of the place", { type: "break" }, "Street 1, City"),
        ],
      ),
      text(
        left,
        "Hello {firstName|there}, we would be glad to have you there. What awaits people, in two or three sentences.",
      ),
      button("I will be there", center),
      text(center, link("I cannot make it", "https://example.com/")),
      divider,
      footer("You get this email because you asked us to tell you about events."),
    ],
  ),
  ...listStarters,
  ...triggeredStarters,
];

const made = new Map<StarterLanguage, readonly Starter[]>();

/**
 * Designs to begin with, in that language. Each can be sent once its words and links are the sender's own.
 */
export function startersIn(language: StarterLanguage): readonly Starter[] {
  let starters = made.get(language);
  if (!starters) {
    starters = all.map((starter) => starter(language));
    made.set(language, starters);
  }
  return starters;
}

/** Those that can be sent to many: the others speak of what one person did, which a campaign does not know. */
export const campaignStartersIn = (language: StarterLanguage): readonly Starter[] =>
  startersIn(language).filter(({ sentBy }) => sentBy === "campaign");
