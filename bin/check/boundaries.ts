import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseOptions, type IForbiddenRuleType } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { root } from "@/bin/start/root";

interface Configuration {
  forbidden: IForbiddenRuleType[];
  options: ICruiseOptions;
}

const config = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as Configuration;
const folders = ["app", "bench", "bin", "components", "db", "e2e", "emails", "lib"];
/** A run that did not see these files has not seen the product. */
const landmarks = [
  "app/layout.tsx",
  "bin/start.ts",
  "db/client.ts",
  "lib/ground/context.ts",
  "lib/doors/http/mounts.ts",
];

/** Imports in tests do not count as circles between folders. */
const isTest = "\\.test\\.tsx?$|^(db|lib|bin/move)/testing/|^lib/doors/http/contract/";
const ofFolders = (rule: IForbiddenRuleType) => "scope" in rule && rule.scope === "folder";

async function cruiseWith(baseDir: string, forbidden: IForbiddenRuleType[], skipTests: boolean) {
  const fileName = join(baseDir, "tsconfig.json");
  // The paths of a tsconfig without baseUrl are resolved from the current folder.
  process.chdir(baseDir);
  const { tsConfig: _, enhancedResolveOptions, ...options } = config.options;
  const reply = await cruise(
    folders,
    {
      ...options,
      ...(skipTests ? { exclude: { path: `${isTest}|^(\\.next|\\.data)/` } } : {}),
      baseDir,
      validate: true,
      // The types do not say that the paths of the tsconfig are read from here.
      ruleSet: { forbidden, options: { tsConfig: { fileName } } } as object,
    },
    enhancedResolveOptions,
    { tsConfig: extractTSConfig(fileName) },
  );
  if (typeof reply.output === "string") throw new Error("The cruise gave text.");
  return reply.output;
}

/** What breaks a rule, and the modules that were checked. */
async function violations(baseDir: string) {
  const { forbidden } = config;
  const files = await cruiseWith(
    baseDir,
    forbidden.filter((rule) => !ofFolders(rule)),
    false,
  );
  const betweenFolders = await cruiseWith(baseDir, forbidden.filter(ofFolders), true);
  return {
    modules: files.modules,
    violations: [...files.summary.violations, ...betweenFolders.summary.violations],
  };
}

const sentences = (result: Awaited<ReturnType<typeof violations>>) =>
  result.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);

/** Imports that must be refused: rule, file, its content. The other files are what they import. */
const wrong: [rule: string, file: string, content: string][] = [
  ["no-circle", "lib/domain/lists/one.ts", 'import "@/lib/domain/segments/two";'],
  ["no-circle-between-folders", "lib/domain/files/there.ts", 'import "@/lib/domain/search/other";'],
  ["no-unresolvable", "lib/domain/lists/lost.ts", 'import "@/lib/domain/lists/nowhere";'],
  ["db-is-the-bottom", "db/up.ts", 'import type { Context } from "@/lib/ground/context";'],
  ["lib-has-five-floors", "lib/helpers/more.ts", 'import "@/lib/ground/context";'],
  ["ground-is-the-lowest-floor", "lib/ground/clock.ts", 'import "@/lib/mail/address";'],
  ["mail-stands-on-the-ground", "lib/mail/look.ts", 'import "@/lib/domain/lists/lists";'],
  ["domain-knows-no-caller", "lib/domain/lists/caller.ts", 'import "@/lib/engine/sending/claim";'],
  ["engine-knows-no-door", "lib/engine/sending/door.ts", 'import "@/lib/doors/http/mounts";'],
  ["domain-runs-outside-next", "lib/domain/lists/next.ts", 'import "next/headers";'],
  ["domain-speaks-no-http", "lib/domain/lists/http.ts", 'import { Hono } from "hono";'],
  ["schema-is-browser-safe", "lib/domain/lists/schema.ts", 'import "./lists"; import "./rows";'],
  ["schema-reaches-no-server", "lib/domain/lists/schema.ts", 'import "./lists"; import "./rows";'],
  ["schema-is-browser-safe", "lib/domain/lists/field-schema.ts", 'import "./lists";'],
  ["schema-is-browser-safe", "lib/ground/paging/names.ts", 'import "@/lib/ground/context";'],
  ["schema-is-browser-safe", "lib/mail/design/block.ts", 'import "@/lib/mail/address/lookup";'],
  ["schema-is-browser-safe", "lib/ground/amount.ts", 'import "@/lib/ground/context";'],
  ["schema-is-browser-safe", "lib/ground/escape-html.ts", 'import "@/lib/ground/context";'],
  ["schema-is-browser-safe", "lib/ground/nearest-name.ts", 'import "@/lib/ground/context";'],
  ["schema-reaches-no-server", "lib/mail/design/server.ts", 'import "@/db/client";'],
  ["schema-reaches-no-server", "lib/domain/lists/names.ts", 'import "@/lib/ground/env/env";'],
  ["schema-is-browser-safe", "lib/domain/lists/terms.ts", 'import "./rows";'],
  ["terms-need-no-schemas", "lib/domain/segments/terms.ts", 'import { z } from "zod"; z.int();'],
  ["doors-stand-apart", "lib/doors/mcp/door.ts", 'import "@/lib/doors/http/mounts";'],
  ["surfaces-stand-apart", "lib/doors/http/v1/lists.ts", 'import "@/lib/doors/http/platform/app";'],
  ["doors-know-no-pages", "lib/doors/http/page.ts", 'import "@/components/lists/table";'],
  ["app-never-touches-db", "app/page.tsx", 'import { database } from "@/db/client";'],
  ["app-leaves-sending-to-doors", "app/[campaign]/page.tsx", 'import "@/lib/engine/jobs/worker";'],
  ["components-see-schemas", "components/lists/table.tsx", 'import "@/lib/domain/lists/lists";'],
  [
    "components-know-no-rows",
    "components/lists/row.tsx",
    'import type { L } from "@/lib/domain/lists/lists";',
  ],
  ["ui-knows-no-domain", "components/ui/row.tsx", 'import "@/lib/ground/paging/schema";'],
  ["shared-components-know-no-area", "components/list-page/area.tsx", 'import "../lists/row";'],
  ["shared-components-know-no-area", "components/form/area.tsx", 'import "../shell/menu";'],
  ["shared-components-know-no-area", "components/api/area.ts", 'import "../lists/row";'],
  ["shared-components-know-no-area", "components/chart/area.tsx", 'import "../lists/row";'],
  ["mails-are-leaves", "emails/letter.tsx", 'import "@/lib/domain/lists/lists";'],
  ["programs-are-the-top", "lib/domain/lists/program.ts", 'import "@/bin/web";'],
  ["programs-are-the-top", "app/measure.tsx", 'import "@/bench/run";'],
  ["programs-are-the-top", "components/lists/journey.tsx", 'import "@/e2e/journey";'],
  ["programs-are-the-top", "db/program.ts", 'import "@/bin/web";'],
  ["programs-are-the-top", "emails/measure.tsx", 'import "@/bench/run";'],
  ["tests-stay-out-of-the-product", "lib/domain/lists/tested.ts", 'import "@/db/testing";'],
  [
    "product-needs-no-dev-dependency",
    "lib/domain/lists/dev.ts",
    'import { it } from "vitest"; it();',
  ],
  ["dependencies-are-declared", "lib/domain/lists/undeclared.ts", 'import "esbuild";'],
];
const others: [file: string, content: string][] = [
  ["lib/domain/segments/two.ts", 'import "@/lib/domain/lists/one";'],
  // Two folders that need each other, though no file does.
  ["lib/domain/files/here.ts", "export {};"],
  ["lib/domain/search/other.ts", "export {};"],
  ["lib/domain/search/back.ts", 'import "@/lib/domain/files/here";'],
  ["lib/domain/lists/lists.ts", "export {};"],
  ["lib/domain/lists/rows.ts", 'import "@/db/client";'],
  ["lib/ground/paging/schema.ts", "export {};"],
  ["lib/ground/context.ts", "export interface Context {}"],
  ["lib/mail/address.ts", "export {};"],
  ["lib/mail/address/lookup.ts", "export {};"],
  ["lib/ground/env/env.ts", "export {};"],
  ["components/shell/menu.tsx", "export {};"],
  ["lib/engine/sending/claim.ts", "export {};"],
  ["lib/doors/http/mounts.ts", "export interface Mount {}"],
  ["db/client.ts", "export const database = 1;"],
  ["db/testing/index.ts", "export {};"],
  ["lib/doors/http/platform/app.ts", "export {};"],
  ["lib/engine/jobs/worker.ts", "export {};"],
  ["bin/web.ts", "export {};"],
  ["bench/run.ts", "export {};"],
  ["e2e/journey.ts", "export {};"],
];

/** Rules that let a wrong import pass, tried on a folder with nothing but wrong imports. */
async function toothlessRules(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-boundaries-"));
  try {
    for (const [file, content] of [...wrong.map(([, ...rest]) => rest), ...others]) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), `${content}\n`);
    }
    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({
        dependencies: { hono: "*", next: "*", zod: "*" },
        devDependencies: { vitest: "*" },
      }),
    );
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await copyFile(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
    const bitten = (await violations(folder)).violations;
    const missed = wrong.filter(
      ([rule, file]) =>
        !bitten.some(
          ({ rule: { name }, from }) => name === rule && (from === file || from === dirname(file)),
        ),
    );
    const untried = config.forbidden.filter(({ name }) => !wrong.some(([rule]) => rule === name));
    return [
      ...missed.map(([rule, file]) => `Rule ${rule} let ${file} through.`),
      ...untried.map(({ name }) => `No wrong import tries rule ${name}.`),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const real = await violations(root);
const seen = new Set(real.modules.map(({ source }) => source));
const unseen = landmarks.filter((file) => !seen.has(file));
const faults = [
  ...unseen.map((file) => `The cruise did not see ${file}.`),
  ...sentences(real),
  ...(await toothlessRules()),
];
for (const fault of faults.slice(0, 50)) console.error(fault);
console.log(`${seen.size} modules, ${config.forbidden.length} rules, each tried.`);
process.exitCode = faults.length === 0 ? 0 : 1;
