import { start } from "./start/start";

await start({ dev: process.argv.includes("--dev") });
