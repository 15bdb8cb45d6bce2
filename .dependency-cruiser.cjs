// Who may import whom. bin/check/boundaries.ts proves for each rule that it bites.
const tests = "\\.test\\.tsx?$";
const testing = "^(db|lib|bin/move)/testing/|^lib/doors/http/contract/";
const doors = "^lib/doors/";
/** Zod alone: what forms in the browser and doors on the server share. */
/** Where the dashboard's texts are said. */
const said = ["^lib/ground/texts/(t|formats|kept-text|dashboard-languages)\\.ts$"];
const schemas = [
  "^lib/(ground|domain)/[^/]+/(schema|[^/]+-schema|names|terms)\\.ts$",
  "^lib/ground/[^/]+-schema\\.ts$",
  // The visual editor's documents and their HTML: the browser shows what the server will send.
  "^lib/mail/design/[^/.]+\\.ts$",
  // Leaves that need nothing: how a number is written, how HTML is escaped, what can be read on a colour, which known
  // name was meant, and what can be stored.
  "^lib/ground/(amount|chart-ticks|escape-html|ink|nearest-name|storable-text)\\.ts$",
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circle",
      severity: "error",
      from: {},
      to: {
        circular: true,
        viaOnly: { dependencyTypesNot: ["type-only"] },
      },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "\\.css$" },
    },
    {
      name: "db-is-the-bottom",
      severity: "error",
      from: { path: "^db/", pathNot: [testing, tests] },
      to: { path: "^(app|components|emails|bin|lib)/", pathNot: "^lib/ground/(env|ids)/" },
    },
    {
      name: "lib-has-five-floors",
      comment: "What stands beside them is the tests' own.",
      severity: "error",
      from: { path: "^lib/", pathNot: ["^lib/(ground|mail|domain|engine|doors)/", testing] },
      to: {},
    },
    {
      name: "ground-is-the-lowest-floor",
      severity: "error",
      from: { path: "^lib/ground/", pathNot: tests },
      to: { path: "^(lib/(mail|domain|engine|doors)|app|components|emails|bin)/" },
    },
    {
      name: "mail-stands-on-the-ground",
      severity: "error",
      from: { path: "^lib/mail/", pathNot: tests },
      to: { path: "^(lib/(domain|engine|doors)|app|components|bin)/" },
    },
    {
      name: "domain-knows-no-caller",
      severity: "error",
      from: { path: "^lib/domain/", pathNot: tests },
      to: { path: "^(lib/(engine|doors)|app|components|bin)/" },
    },
    {
      name: "engine-knows-no-door",
      severity: "error",
      from: { path: "^lib/engine/", pathNot: tests },
      to: { path: "^(lib/doors|app|components|bin)/" },
    },
    {
      name: "no-circle-between-folders",
      comment: "Tests apart: they may use whatever they need.",
      scope: "folder",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "domain-runs-outside-next",
      severity: "error",
      from: { path: "^(db|lib|emails)/" },
      to: { path: "node_modules/next/|^next(/|$)" },
    },
    {
      name: "domain-speaks-no-http",
      severity: "error",
      from: { path: "^(db|lib|emails)/", pathNot: [doors, tests] },
      to: { path: "node_modules/(hono|@hono)/|^@?hono(/|$)" },
    },
    {
      name: "schema-is-browser-safe",
      severity: "error",
      from: { path: schemas },
      to: {
        pathNot: [
          "node_modules/zod/",
          "^db/(enums|audit-actions)\\.ts$",
          ...schemas,
          ...said,
          "^lib/mail/(address|body-schema|message/(header-names|view-schema))\\.ts$",
        ],
      },
    },
    {
      name: "schema-reaches-no-server",
      comment: "Nor through what it imports.",
      severity: "error",
      from: { path: schemas },
      to: { reachable: true, path: "^db/(client|schema)|^lib/ground/env/" },
    },
    {
      name: "terms-need-no-schemas",
      comment:
        "Pages load what checks an input when somebody writes one: terms are what they need before.",
      severity: "error",
      from: { path: "^lib/domain/[^/]+/terms\\.ts$" },
      to: { reachable: true, path: "node_modules/zod/" },
    },
    {
      name: "doors-stand-apart",
      severity: "error",
      from: { path: "^lib/doors/([^/]+)/", pathNot: tests },
      to: { path: doors, pathNot: "^lib/doors/$1/" },
    },
    {
      name: "surfaces-stand-apart",
      comment: "What a form's visitors and a project's recipients will see is shown as a preview.",
      severity: "error",
      from: { path: "^lib/doors/http/(v1|platform|public|resend)/", pathNot: tests },
      to: {
        path: "^lib/doors/http/(v1|platform|public|resend)/",
        pathNot: [
          "^lib/doors/http/$1/",
          "^lib/doors/http/public/pages/(form|recipient)-preview\\.ts$",
        ],
      },
    },
    {
      name: "doors-know-no-pages",
      severity: "error",
      from: { path: doors, pathNot: [testing, tests] },
      to: { path: "^(app|components|bin)/" },
    },
    {
      name: "app-never-touches-db",
      severity: "error",
      from: { path: "^app/", pathNot: tests },
      to: { path: "^(db|bin)/" },
    },
    {
      name: "app-leaves-sending-to-doors",
      severity: "error",
      from: { path: "^app/", pathNot: tests },
      to: { path: "^lib/(engine|mail)/" },
    },
    {
      name: "components-see-schemas",
      comment: "And the typed client.",
      severity: "error",
      from: { path: "^components/", pathNot: tests },
      to: {
        path: "^(app|bin|db|emails|lib)/",
        pathNot: [
          ...schemas,
          ...said,
          "^lib/doors/http/client\\.ts$",
          "^db/(enums|audit-actions)\\.ts$",
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "components-know-no-rows",
      comment: "Not even as a type: what they show are resources and what doors hand to pages.",
      severity: "error",
      from: { path: "^components/", pathNot: tests },
      to: {
        path: "^(app|bin|db|emails|lib)/",
        pathNot: [...schemas, ...said, "^lib/doors/http/", "^db/(enums|audit-actions)\\.ts$"],
      },
    },
    {
      name: "ui-knows-no-domain",
      severity: "error",
      from: { path: "^components/ui/" },
      to: {
        path: "^(app|bin|db|emails|lib|components/(?!ui/))",
        pathNot: [...said, "^lib/ground/amount\\.ts$"],
      },
    },
    {
      name: "shared-components-know-no-area",
      comment: "Lists, forms, the typed client and charts serve all areas of the dashboard.",
      severity: "error",
      from: { path: "^components/(list-page|form|api|chart)/" },
      to: { path: "^components/(?!(list-page|form|api|chart|ui)/)" },
    },
    {
      name: "mails-are-leaves",
      severity: "error",
      from: { path: "^emails/", pathNot: tests },
      to: { path: "^(app|bin|components|db|lib)/" },
    },
    {
      name: "programs-are-the-top",
      severity: "error",
      from: { path: "^(app|components|db|emails|lib)/" },
      to: { path: "^(bin|bench|e2e)/" },
    },
    {
      name: "tests-stay-out-of-the-product",
      severity: "error",
      from: {
        path: "^(app|bin|components|db|emails|lib)/",
        pathNot: [tests, testing, "^bin/check/"],
      },
      to: { path: [tests, testing] },
    },
    {
      name: "product-needs-no-dev-dependency",
      severity: "error",
      from: {
        path: "^(app|bin|components|db|emails|lib)/",
        pathNot: [tests, testing, "^bin/(check|client)(/|\\.)", "/contract/"],
      },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "dependencies-are-declared",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(\\.next|\\.data)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      mainFields: ["module", "main", "types", "typings"],
    },
  },
};
