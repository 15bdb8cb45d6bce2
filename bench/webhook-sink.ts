import { createServer } from "node:http";

/** An endpoint that takes everything at once at `/`, and one that never answers at `/hang`. */
createServer((request, response) => {
  request.resume();
  if (request.url !== "/hang") request.on("end", () => response.end("ok"));
}).listen(Number(process.env["PORT"]), "127.0.0.1", () => process.send?.("ready"));
