/** A letter to begin with: right in every mail program, narrow and wide, light and dark. */
export const campaignStarter = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <style>
      .sheet { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem; }
      body { margin: 0; font: 16px/1.6 Georgia, serif; }
    </style>
  </head>
  <body>
    <div class="sheet">
      <p>Hello {{ firstName | default: 'there' }},</p>
      <p>this is what is new.</p>
      <p><a href="https://example.com/">Read more</a></p>
    </div>
  </body>
</html>
`;
