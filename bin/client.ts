import { buildClient } from "./client/build";

await buildClient();
console.log(
  "The client is in clients/typescript, ready for `npm publish` or `npm install <folder>`.",
);
