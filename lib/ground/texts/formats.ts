import { currentLanguage, dateLocale, numberLocale } from "./t";

/* How the reader's language writes numbers, dates and lists. A format takes longer to make than to use: each is made once. */

function kept<Options, Format>(Made: new (locale: string, options?: Options) => Format) {
  const formats = new Map<string, Format>();
  return (locale: string, options?: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`;
    let format = formats.get(key);
    if (!format) {
      format = new Made(locale, options);
      formats.set(key, format);
    }
    return format;
  };
}

const dates = kept(Intl.DateTimeFormat);
const numbers = kept(Intl.NumberFormat);
const lists = kept(Intl.ListFormat);
const spans = kept(Intl.RelativeTimeFormat);

export const dateFormat = (options?: Intl.DateTimeFormatOptions) => dates(dateLocale(), options);
export const numberFormat = (options?: Intl.NumberFormatOptions) =>
  numbers(numberLocale(), options);
export const listFormat = (options?: Intl.ListFormatOptions) => lists(currentLanguage(), options);
/** `3 minutes ago`, `yesterday` */
export const spanFormat = () => spans(currentLanguage(), { numeric: "auto" });
