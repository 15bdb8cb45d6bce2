import { readerLocale } from "./t";

/* How the reader's locale writes numbers, dates and lists. A format takes longer to make than to use: each is made once. */

/** Of one kind, in a process: readers of many regions cannot fill its memory. */
const mostFormats = 500;

function kept<Options, Format>(Made: new (locale: string, options?: Options) => Format) {
  const formats = new Map<string, Format>();
  return (locale: string, options?: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`;
    let format = formats.get(key);
    if (!format) {
      if (formats.size >= mostFormats) formats.clear();
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

export const dateFormat = (options?: Intl.DateTimeFormatOptions) => dates(readerLocale(), options);
export const numberFormat = (options?: Intl.NumberFormatOptions) =>
  numbers(readerLocale(), options);
export const listFormat = (options?: Intl.ListFormatOptions) => lists(readerLocale(), options);
/** `3 minutes ago`, `yesterday` */
export const spanFormat = () => spans(readerLocale(), { numeric: "auto" });
