import { moveProject } from "@/bin/move/move";

/* Moves a project as `lettermill project move` does, and is killed as soon as it says a certain step. */

const [source = "", target = "", projectId = "", url = "", deadly = ""] = process.argv.slice(2);
await moveProject({
  source,
  target,
  projectId,
  url,
  files: "shared",
  waitSeconds: 120,
  say: (step) => {
    if (step === deadly) process.kill(process.pid, "SIGKILL");
  },
});
