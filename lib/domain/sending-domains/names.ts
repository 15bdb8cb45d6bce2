/** Where people have mailboxes of their own: nobody but their provider can publish records there. */
const mailboxProviders = new Set([
  ...["gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com"],
  ...["yahoo.com", "yahoo.co.uk", "yahoo.fr", "yahoo.de", "ymail.com", "rocketmail.com", "aol.com"],
  ...["icloud.com", "me.com", "mac.com", "proton.me", "protonmail.com", "pm.me", "fastmail.com"],
  ...["gmx.de", "gmx.net", "gmx.com", "gmx.at", "gmx.ch", "web.de", "t-online.de", "freenet.de"],
  ...["orange.fr", "wanadoo.fr", "free.fr", "laposte.net", "sfr.fr", "libero.it", "virgilio.it"],
  ...["wp.pl", "o2.pl", "onet.pl", "interia.pl", "seznam.cz", "mail.ru", "yandex.ru", "yandex.com"],
  ...["qq.com", "163.com", "126.com", "naver.com", "comcast.net", "verizon.net", "att.net"],
  ...["btinternet.com", "hotmail.co.uk", "hotmail.fr", "outlook.de", "zoho.com", "hey.com"],
]);

/** Whether a name (A-label, lower case) is such a provider's, or lies below one. */
export function isMailboxProvider(name: string): boolean {
  const labels = name.split(".");
  return labels.some((_, index) => mailboxProviders.has(labels.slice(index).join(".")));
}
