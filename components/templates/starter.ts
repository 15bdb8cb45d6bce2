/** What a new template starts with. Sizes in pixels: not every mail program knows rem. */
export const starter = {
  name: "",
  subject: "Welcome, {{ firstName | default: 'friend' }}",
  body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <style>
      .sheet { max-width: 544px; margin: 0 auto; padding: 32px 20px; }
      body { margin: 0; font: 16px/1.6 Georgia, serif; }
    </style>
  </head>
  <body>
    <div class="sheet">
      <h1>Good to have you here, {{ firstName | default: 'friend' }}.</h1>
      <p>We will write to {{ email }} whenever we have news worth sharing.</p>
      {% if plan == 'pro' %}
        <p>Thank you for choosing the pro plan.</p>
      {% endif %}
    </div>
  </body>
</html>
`,
};

/** What the preview of a list's or form's own mail is filled in with besides. */
const listSample = {
  listName: "The weekly letter",
  projectName: "Acme",
  confirmUrl: "https://example.com/confirm",
};

/** The sample data for what a template says. */
export const sampleFor = (body: string) =>
  /\b(?:listName|projectName|confirmUrl)\b/.test(body)
    ? JSON.stringify({ ...(JSON.parse(starterSample) as object), ...listSample }, null, 2)
    : starterSample;

export const starterSample = JSON.stringify(
  { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", plan: "pro" },
  null,
  2,
);
