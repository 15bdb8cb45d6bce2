/** Whether a text is MJML rather than HTML. */
export const isMjml = (text: string) => /<mjml[\s>]/i.test(text.slice(0, 5_000));
