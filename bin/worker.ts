import { database } from "@/db/client";
import { runWorker } from "@/lib/engine/jobs/worker";
import { runProgram } from "./program";

await runProgram("worker", ({ signal, ready }) => runWorker({ db: database(), signal }, ready));
