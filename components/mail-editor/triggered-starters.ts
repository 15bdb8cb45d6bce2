import { phrases } from "@/lib/ground/texts/t";
import {
  bold,
  button,
  center,
  columns,
  condition,
  divider,
  footer,
  heading,
  left,
  link,
  news,
  product,
  section,
  starter,
  text,
  type StarterIn,
} from "./starter-parts";

/** Mail triggered by something that one person did. */
export const triggeredStarters: readonly StarterIn[] = [
  starter(
    "receipt",
    "program",
    phrases(["Receipt", "Sent by your program after a payment."]),
    "Your receipt {{ data.number }}",
    { background: "#f4f5f7", accent: "#24587d", radius: 6 },
    () => [
      heading(2, left, "Thank you for your order"),
      text(left, "Hello {firstName|there}, we have received your payment."),
      section(
        "#eef3f7",
        null,
        columns(
          [text(left, bold("Order")), text(left, "{data.number}")],
          [text("right", bold("Total")), text("right", "{data.total}")],
        ),
      ),
      button("See the order"),
      text(left, "Something is not right? Reply to this email."),
    ],
  ),
  starter(
    "confirm",
    "program",
    phrases(["One button", "Confirm an address, reset a password, sign in."]),
    "Confirm your email address",
    { background: "#f4f5f7", accent: "#1a1a1a", radius: 8 },
    () => [
      heading(2, left, "Confirm your email address"),
      text(left, "Press the button to confirm that {email} is yours."),
      button("Confirm the address", left, "{{ data.url }}"),
      text(left, "It works for one hour. If you did not ask for this, nothing needs to be done."),
    ],
  ),
  starter(
    "feedback",
    "campaign",
    phrases(["Ask for feedback", "A question with answers to press."]),
    "How was it?",
    { background: "#e8f0ee", accent: "#13615a", radius: 12 },
    () => [
      heading(1, center, "How was it?"),
      text(center, "Hello {firstName|there}, one press is all we ask."),
      columns([button("Great", center)], [button("Fine", center)], [button("Not good", center)]),
      text(center, "Want to say more? Reply to this email; we read every answer."),
      divider,
      footer("You get this email because you bought something from us."),
    ],
  ),
  starter(
    "return",
    "campaign",
    phrases(["We miss you", "For people who have not been around for a while."]),
    "Still interested?",
    { background: "#f7f2e7", accent: "#b52f15", font: "serif", headingFont: "serif" },
    () => [
      heading(1, left, "Still interested?"),
      text(
        left,
        "Hello {firstName|there}, we have not heard from you for a while, and do not want to be in your way.",
      ),
      button("Yes, keep writing"),
      text(
        left,
        "If not, there is nothing to do but ",
        link("unsubscribe here", "{{ unsubscribeUrl }}"),
        ". No hard feelings.",
      ),
      divider,
      footer(news),
    ],
  ),
  starter(
    "cart",
    "program",
    phrases(["Forgotten basket", "Reminds of what was left behind."]),
    "You left something behind",
    {
      background: "#f2f0eb",
      accent: "#2c6a43",
      headingFont: "rounded",
      font: "rounded",
      radius: 8,
    },
    () => [
      heading(1, left, "You left something behind"),
      text(left, "Hello {firstName|there}, we have kept it for you."),
      product("{{ data.product }}", "It is still in stock.", "{{ data.price }}"),
      button("Back to the basket"),
      condition(
        "data.discount",
        section(
          "#e1edde",
          null,
          text(center, "Because you waited: {data.discount} off with your order."),
        ),
      ),
      divider,
      footer("You get this email because you have an account with us."),
    ],
  ),
];
