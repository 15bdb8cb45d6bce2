// The smallest transparent picture: 43 bytes.
const pixel = Buffer.from("R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

/** For answers to links and pictures in mail. */
export const answerHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow",
};

/** The picture whose request counts as an open. */
export function pixelAnswer(status: number, headers: Record<string, string> = {}): Response {
  return new Response(pixel, {
    status,
    headers: {
      ...answerHeaders,
      "content-type": "image/gif",
      "content-length": String(pixel.length),
      ...headers,
    },
  });
}
