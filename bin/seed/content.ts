/** What the fictional company Northwind Tea writes, and to whom. */

export const firstNames =
  "Ada Amir Ana Ben Carla Chen Clara Dana Diego Elif Emil Eva Farid Finn Grace Hana Hugo Ida Ines Ivan Jana Jonas Julia Kai Karim Lea Lena Leo Lin Lucas Luisa Maja Marco Maria Mei Mila Nadia Nico Nina Noah Nora Olga Omar Oscar Paula Petra Rafael Rosa Ruben Sami Sara Sofia Tarek Theo Tilda Tom Vera Yara Yusuf Zoe".split(
    " ",
  );
export const lastNames =
  "Adler Andersen Aydin Becker Berg Blanc Castro Cohen Costa Dahl Diaz Dubois Eriksen Evans Fischer Fontaine Garcia Greco Haas Hansen Ito Jansen Jensen Kaya Keller Kim Kovac Larsen Lehmann Lopez Martin Meyer Moreau Murphy Nagy Novak Olsen Park Pereira Popov Quinn Ricci Rossi Sato Schmidt Silva Singh Smith Sousa Svensson Tanaka Taylor Torres Usman Vogel Wagner Weber Wong Young Zhang".split(
    " ",
  );
export const cities = "Berlin Bristol Lisbon Lyon Milan Oslo Porto Prague Seville Vienna".split(
  " ",
);
export const plans = ["free", "taster", "club", "club"];
export const tags = ["green", "black", "oolong", "herbal", "wholesale"];

const letter = (title: string, words: string, button: string, path: string) => `<!doctype html>
<html><body style="margin:0;background:#f6f1e7;font-family:Georgia,serif;color:#2b2620">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff">
<tr><td style="padding:32px 40px 8px;font-size:14px;letter-spacing:2px;color:#8a5a2b">NORTHWIND TEA</td></tr>
<tr><td style="padding:8px 40px;font-size:28px;line-height:36px">${title}</td></tr>
<tr><td style="padding:8px 40px 24px;font-size:16px;line-height:26px">Hello {{ firstName | default: "there" }},<br><br>${words}</td></tr>
<tr><td style="padding:0 40px 24px"><a href="https://tea.example.com${path}" style="display:inline-block;background:#2b2620;color:#ffffff;padding:14px 28px;text-decoration:none">${button}</a></td></tr>
<tr><td style="padding:0 40px 40px;font-size:14px;line-height:22px"><a href="https://tea.example.com/journal" style="color:#8a5a2b">Read the journal</a> &middot; <a href="https://tea.example.com/stockists" style="color:#8a5a2b">Find a shop</a></td></tr>
</table></td></tr></table></body></html>`;

interface Piece {
  name: string;
  subject: string;
  html: string;
}

export const campaignPieces: readonly Piece[] = [
  [
    "First flush",
    "The first flush is here",
    "The spring harvest has arrived: three gardens, forty kilos, and a taste of young leaves.",
    "See the harvest",
    "/first-flush",
  ],
  [
    "Summer on ice",
    "Iced tea, the slow way",
    "Cold-brewed overnight, our sencha turns sweet and clear. Here is how we make it.",
    "Get the recipe",
    "/cold-brew",
  ],
  [
    "Autumn oolongs",
    "Roasted, like the leaves outside",
    "Five oolongs for the first cold evenings, roasted over charcoal in Anxi.",
    "Taste the five",
    "/oolong",
  ],
  [
    "The teapot sale",
    "Teapots, a third off until Sunday",
    "We are making room for the new glazes. What is left goes for two thirds of its price.",
    "Choose a pot",
    "/teapots",
  ],
  [
    "Winter letter",
    "A quiet month, and a quiet tea",
    "We spent November with a family in Nantou who have grown tea for five generations.",
    "Read their story",
    "/nantou",
  ],
  [
    "Gift boxes",
    "Wrapped by us, sent by you",
    "Three teas in a box of beech wood, with a card in your own words.",
    "Send a box",
    "/gifts",
  ],
].map(([name = "", subject = "", words = "", button = "", path = ""]) => ({
  name,
  subject,
  html: letter(subject, words, button, path),
}));

export const transactionalPieces: readonly Piece[] = [
  [
    "Order confirmation",
    "Your order {{ orderNumber }}",
    "Thank you for your order. We pack it today, and write again when it leaves.",
    "See your order",
    "/orders",
  ],
  [
    "Shipping notice",
    "Your tea is on its way",
    "Your parcel left our shop this morning and should be with you within three days.",
    "Follow the parcel",
    "/tracking",
  ],
  [
    "Password reset",
    "Choose a new password",
    "Somebody, probably you, asked for a new password. The link works for an hour.",
    "Choose a password",
    "/password",
  ],
].map(([name = "", subject = "", words = "", button = "", path = ""]) => ({
  name,
  subject,
  html: letter(name, words, button, path),
}));

export const linkUrls = ["/", "/journal", "/stockists"].map(
  (path) => `https://tea.example.com${path}`,
);
