/** German for the texts of the starter designs, by the English: what stands in braces is a placeholder and its stand-in. */
export const german: Readonly<Record<string, string>> = {
  // In several.
  "{mailReason|You get this email because you signed up for it.}":
    "{mailReason|Sie erhalten diese E-Mail, weil Sie sich dafür angemeldet haben.}",
  "You get this email because you signed up for it.":
    "Sie erhalten diese E-Mail, weil Sie sich dafür angemeldet haben.",
  Unsubscribe: "Abmelden",
  Preferences: "Einstellungen",
  "View in browser": "Im Browser ansehen",
  "Read on": "Weiterlesen",
  "See it": "Ansehen",
  "Hello {firstName|there},": "Hallo {firstName|und guten Tag},",
  "29.00": "29,00 €",
  "39.00": "39,00 €",
  "49.00": "49,00 €",
  "One line about what is good about it.": "Eine Zeile darüber, was daran gut ist.",
  "Two lines are enough to say what it is about.":
    "Zwei Zeilen genügen, um zu sagen, worum es geht.",

  // Plain letter.
  "A quick note": "Ein paar Zeilen",
  "here is what I wanted to tell you. One thought, in two or three sentences, as you would say it.":
    "das wollte ich Ihnen erzählen: ein Gedanke, in zwei oder drei Sätzen, so wie Sie ihn auch sagen würden.",
  "If you have a minute, ": "Wenn Sie eine Minute haben, ",
  "have a look at it": "sehen Sie es sich an",
  " and tell me what you think. Just reply to this email.":
    " und sagen Sie mir, was Sie davon halten. Antworten Sie einfach auf diese E-Mail.",
  "All the best,": "Viele Grüße",
  "Your name": "Ihr Name",

  // Welcome.
  "Welcome, {{ firstName | default: 'friend' }}":
    "Willkommen{% if firstName %}, {{ firstName }}{% endif %}",
  "Good to have you here": "Schön, dass Sie da sind",
  "Hello {firstName|friend}, your account is ready.":
    "Hallo {firstName|und guten Tag}, Ihr Konto ist eingerichtet.",
  "Three things that are worth doing first:": "Drei Dinge, die sich am Anfang lohnen:",
  "Look around. ": "Sehen Sie sich um. ",
  "Everything is where you expect it.": "Alles ist dort, wo Sie es erwarten.",
  "Make it yours. ": "Richten Sie sich ein. ",
  "Add your name and a picture.": "Ergänzen Sie Ihren Namen und ein Bild.",
  "Invite somebody. ": "Laden Sie jemanden ein. ",
  "It is more fun with two.": "Zu zweit macht es mehr Freude.",
  "Get started": "Loslegen",
  "Questions? Reply to this email; a person reads it.":
    "Fragen? Antworten Sie auf diese E-Mail; sie wird von einem Menschen gelesen.",
  "You get this email because you made an account with us.":
    "Sie erhalten diese E-Mail, weil Sie bei uns ein Konto eingerichtet haben.",

  // Newsletter.
  "What is new this month": "Das ist neu in diesem Monat",
  "The Monthly": "Der Monatsbrief",
  "Hello {firstName|there}, here is the story everybody talked about. Say in two sentences why it matters to the reader.":
    "Hallo {firstName|und guten Tag}, hier ist die Geschichte, über die alle gesprochen haben. Sagen Sie in zwei Sätzen, warum sie für Ihre Leser wichtig ist.",
  "Read the story": "Zur Geschichte",
  "A smaller story": "Eine kleinere Meldung",
  "And another one": "Und noch eine",

  // Announcement.
  "It is here": "Es ist da",
  NEW: "NEU",
  "It is here.": "Es ist da.",
  "One sentence that says what it does for the reader.":
    "Ein Satz, der sagt, was es Ihren Lesern bringt.",
  "Why we made it, and what is different from today on. Three lines at most; the rest is on the page.":
    "Warum es entstanden ist und was ab heute anders ist. Höchstens drei Zeilen; der Rest steht auf der Seite.",
  "See how it works": "So funktioniert es",
  Faster: "Schneller",
  "What it saves.": "Was es spart.",
  Simpler: "Einfacher",
  "What is gone.": "Was wegfällt.",
  Yours: "Ihres",
  "What stays.": "Was bleibt.",

  // Offer.
  "20% off until Sunday": "20 % Rabatt bis Sonntag",
  "20% off everything": "20 % auf alles",
  "Until Sunday at midnight": "Bis Sonntag um Mitternacht",
  "Hello {firstName|there}, your code is": "Hallo {firstName|und guten Tag}, Ihr Code lautet",
  SUNDAY20: "SONNTAG20",
  "Shop now": "Jetzt einkaufen",
  "One code per order. Not to be combined with other offers.":
    "Ein Code pro Bestellung. Nicht mit anderen Angeboten kombinierbar.",

  // Product picks.
  "Picked for you": "Für Sie ausgesucht",
  "Hello {firstName|there}, three things we think you will like.":
    "Hallo {firstName|und guten Tag}, drei Dinge, von denen wir glauben, dass sie Ihnen gefallen.",
  "First product": "Erstes Produkt",
  "Second product": "Zweites Produkt",
  "Third product": "Drittes Produkt",
  "See everything": "Alles ansehen",

  // Invitation.
  "You are invited": "Sie sind eingeladen",
  "Name of the event": "Name der Veranstaltung",
  When: "Wann",
  "Thursday, 12 March": "Donnerstag, 12. März",
  "18:00 to 21:00": "18 bis 21 Uhr",
  Where: "Wo",
  "Name of the place": "Name des Ortes",
  "Street 1, City": "Straße 1, Stadt",
  "Hello {firstName|there}, we would be glad to have you there. What awaits people, in two or three sentences.":
    "Hallo {firstName|und guten Tag}, wir würden uns freuen, wenn Sie dabei sind. Was die Gäste erwartet, in zwei oder drei Sätzen.",
  "I will be there": "Ich komme",
  "I cannot make it": "Ich kann leider nicht",
  "You get this email because you asked us to tell you about events.":
    "Sie erhalten diese E-Mail, weil Sie über Veranstaltungen informiert werden möchten.",

  // Confirm your subscription.
  "Please confirm your subscription to {{ listName }}":
    "Bitte bestätigen Sie Ihre Anmeldung zu {{ listName }}",
  "One click and you are in": "Noch ein Klick, und Sie sind dabei",
  "Somebody, we hope you, entered {email} to get {listName|our news}. Click the button to confirm.":
    "Jemand, hoffentlich Sie selbst, hat {email} angegeben, um {listName|unsere Neuigkeiten} zu erhalten. Klicken Sie zur Bestätigung auf die Schaltfläche.",
  "Confirm the subscription": "Anmeldung bestätigen",
  "If it was not you, do nothing: without the button we will not write again.":
    "Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Ohne Bestätigung schreiben wir Ihnen nicht wieder.",
  "{mailReason|You get this email because this address was entered in our form.}":
    "{mailReason|Sie erhalten diese E-Mail, weil diese Adresse in unser Formular eingetragen wurde.}",

  // Subscriber welcome.
  "Welcome to {{ listName }}": "Willkommen bei {{ listName }}",
  "Good to have you with us": "Schön, dass Sie dabei sind",
  "Hello {firstName|there}, you are now subscribed to {listName|our news}.":
    "Hallo {firstName|und guten Tag}, Sie erhalten jetzt {listName|unsere Neuigkeiten}.",
  "What you can look forward to:": "Darauf können Sie sich freuen:",
  "What we write about. ": "Worüber wir schreiben. ",
  "In one sentence, as you would tell a friend.":
    "In einem Satz, so wie Sie es Freunden erzählen würden.",
  "How often. ": "Wie oft. ",
  "Once a month, and never more than that.": "Einmal im Monat und nie öfter.",
  "Something you would like to read about? Reply to this email.":
    "Worüber würden Sie gern lesen? Antworten Sie auf diese E-Mail.",

  // Receipt.
  "Your receipt {{ data.number }}": "Ihre Quittung {{ data.number }}",
  "Thank you for your order": "Vielen Dank für Ihre Bestellung",
  "Hello {firstName|there}, we have received your payment.":
    "Hallo {firstName|und guten Tag}, Ihre Zahlung ist bei uns eingegangen.",
  Order: "Bestellung",
  Total: "Summe",
  "See the order": "Zur Bestellung",
  "Something is not right? Reply to this email.":
    "Stimmt etwas nicht? Antworten Sie auf diese E-Mail.",

  // One button.
  "Confirm your email address": "Bestätigen Sie Ihre E-Mail-Adresse",
  "Press the button to confirm that {email} is yours.":
    "Klicken Sie auf die Schaltfläche, um zu bestätigen, dass {email} Ihre Adresse ist.",
  "Confirm the address": "Adresse bestätigen",
  "It works for one hour. If you did not ask for this, nothing needs to be done.":
    "Er gilt eine Stunde lang. Wenn Sie das nicht angefordert haben, brauchen Sie nichts zu tun.",

  // Ask for feedback.
  "How was it?": "Wie war es?",
  "Hello {firstName|there}, one press is all we ask.":
    "Hallo {firstName|und guten Tag}, ein Klick genügt.",
  Great: "Sehr gut",
  Fine: "In Ordnung",
  "Not good": "Nicht gut",
  "Want to say more? Reply to this email; we read every answer.":
    "Möchten Sie mehr dazu sagen? Antworten Sie auf diese E-Mail; wir lesen jede Antwort.",
  "You get this email because you bought something from us.":
    "Sie erhalten diese E-Mail, weil Sie bei uns eingekauft haben.",

  // We miss you.
  "Still interested?": "Noch interessiert?",
  "Hello {firstName|there}, we have not heard from you for a while, and do not want to be in your way.":
    "Hallo {firstName|und guten Tag}, wir haben länger nichts von Ihnen gehört und möchten Ihnen nicht zur Last fallen.",
  "Yes, keep writing": "Ja, schreiben Sie mir weiter",
  "If not, there is nothing to do but ": "Wenn nicht, können Sie sich einfach ",
  "unsubscribe here": "hier abmelden",
  ". No hard feelings.": ". Wir nehmen es Ihnen nicht übel.",

  // Forgotten basket.
  "You left something behind": "Sie haben etwas vergessen",
  "Hello {firstName|there}, we have kept it for you.":
    "Hallo {firstName|und guten Tag}, wir haben es für Sie aufgehoben.",
  "It is still in stock.": "Noch auf Lager.",
  "Back to the basket": "Zurück zum Warenkorb",
  "Because you waited: {data.discount} off with your order.":
    "Weil Sie gewartet haben: {data.discount} Nachlass auf Ihre Bestellung.",
  "You get this email because you have an account with us.":
    "Sie erhalten diese E-Mail, weil Sie bei uns ein Konto haben.",
};
