/** A letter to start from. Sizes in pixels: not every mail program knows rem. */
export const campaignStarter = `<!doctype html>
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
      <p>Hello {{ firstName | default: 'there' }},</p>
      <p>Here is what is new.</p>
      <p><a href="https://example.com/">Read more</a></p>
    </div>
  </body>
</html>
`;
