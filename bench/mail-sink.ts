import { SMTPServer } from "smtp-server";

/**
 * A mail server on loopback that takes everything and keeps nothing. Tells its parent its port.
 * ANSWER_AFTER: milliseconds it takes over each message.
 */
const answerAfter = Number(process.env["ANSWER_AFTER"] ?? 0);
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _, callback) {
    stream.resume();
    stream.on("end", () => (answerAfter ? setTimeout(callback, answerAfter) : callback()));
  },
});
server.on("error", () => {});
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  process.send?.(typeof address === "object" ? address?.port : null);
});
process.once("disconnect", () => process.exit(0));
