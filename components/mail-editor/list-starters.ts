import { confirmLink } from "@/lib/domain/own-mails/schema";
import { phrases } from "@/lib/ground/texts/t";
import {
  bold,
  button,
  center,
  divider,
  footer,
  heading,
  left,
  list,
  news,
  section,
  smallPrint,
  starter,
  text,
  type StarterIn,
} from "./starter-parts";

/** What a list or form writes itself: chosen in its settings. */
export const listStarters: readonly StarterIn[] = [
  starter(
    "confirm-subscription",
    "list",
    phrases(["Confirm your subscription", "For a list or form that asks people to confirm."]),
    "Please confirm your subscription to {{ listName }}",
    { background: "#eef0ea", accent: "#2c6a43", headingFont: "serif", radius: 6 },
    () => [
      text(left, "{listName}"),
      heading(1, left, "One click and you are in"),
      text(
        left,
        "Somebody, we hope you, entered {email} to get {listName|our news}. Click the button to confirm.",
      ),
      button("Confirm the subscription", left, confirmLink),
      text(left, "If it was not you, do nothing: without the button we will not write again."),
      divider,
      smallPrint("{mailReason|You get this email because this address was entered in our form.}"),
    ],
  ),
  starter(
    "welcome-list",
    "list",
    phrases(["Subscriber welcome", "The first email to new subscribers."]),
    "Welcome to {{ listName }}",
    { background: "#e9eef4", accent: "#24587d", headingFont: "serif", radius: 8 },
    () => [
      section(
        "#24587d",
        "#ffffff",
        heading(1, center, "Good to have you with us"),
        text(center, "Hello {firstName|there}, you are now subscribed to {listName|our news}."),
      ),
      text(left, "What you can look forward to:"),
      list(
        "bullets",
        [bold("What we write about. "), "In one sentence, as you would tell a friend."],
        [bold("How often. "), "Once a month, and never more than that."],
      ),
      text(left, "Something you would like to read about? Reply to this email."),
      divider,
      footer(news),
    ],
  ),
];
