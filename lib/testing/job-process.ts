import { serveJobs } from "@/lib/ground/processes/serve";

function endless(): never {
  for (;;);
}

/** Jobs that a pool has to end, and one that it need not. */
serveJobs({
  greet: ({ greeting }: { greeting: string }, name: string) => `${greeting} ${name}`,
  spin(_: unknown, name: string) {
    while (name !== "quick");
    return name;
  },
  hoard(_: unknown, name: string) {
    const held: string[][] = [];
    while (name !== "modest") held.push(Array.from({ length: 10_000 }, (_, n) => `${name}${n}`));
    return name;
  },
  repeat: (_: unknown, length: string) => (length === "endless" ? endless() : "x".repeat(+length)),
  fail(_: unknown, name: string) {
    throw new Error(`${name} failed`);
  },
});
