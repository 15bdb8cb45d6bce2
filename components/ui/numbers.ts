const counts = new Intl.NumberFormat("en");
const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** `12,044` */
export const count = (number: number) => counts.format(number);
/** `12.4%` */
export const percent = (rate: number) => percents.format(rate);
/** `1 person`, `12,044 people` */
export const people = (number: number) => `${count(number)} ${number === 1 ? "person" : "people"}`;
