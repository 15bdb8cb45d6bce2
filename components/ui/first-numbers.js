// A worker: the first number, plural and date of a process has the browser list the languages it knows, which takes
// it tens of milliseconds. Done here, they are ready when the page writes its own.
for (const Format of [
  Intl.NumberFormat,
  Intl.PluralRules,
  Intl.DateTimeFormat,
  Intl.RelativeTimeFormat,
])
  Format.supportedLocalesOf("en");
new Intl.NumberFormat("en").format(1);
new Intl.DateTimeFormat("en").format(0);
close();
