import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

// What needs types is in .oxlintrc.json: Oxlint checks it with the native compiler.
export default tseslint.config(
  {
    ignores: [
      "node_modules/",
      ".next/",
      ".data/",
      "next-env.d.ts",
      "db/migrations/",
      "test-results/",
      "playwright-report/",
      "clients/",
    ],
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommended],
    rules: {
      eqeqeq: "error",
      "no-console": "off",
      "no-restricted-syntax": [
        "error",
        {
          selector: "ExportAllDeclaration[exported=null]",
          message: "No barrels: import from where it is written.",
        },
        {
          // Next bundles modules more than once: an AppError of one bundle is no instance of another's class.
          selector: "BinaryExpression[operator='instanceof'][right.name='AppError']",
          message: "Use isAppError: instanceof lies across bundles.",
        },
        {
          // In the fields of a select from one table drizzle writes columns without their table: a subquery there that
          // means the outer row compares its own rows with themselves.
          selector:
            "CallExpression[callee.property.name='select'] > ObjectExpression TaggedTemplateExpression[tag.name='sql'] TemplateElement[value.raw=/\\bselect\\b/]",
          message: "Join a subquery laterally: in a select's fields its columns lose their table.",
        },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" },
      ],
    },
  },
  {
    files: ["db/schema/index.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["{app,components}/**/*.tsx"],
    ignores: ["components/ui/link.tsx"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          name: "next/link",
          message: "Use components/ui/link: it asks for a page when it is followed.",
        },
      ],
    },
  },
  {
    files: ["**/*.tsx", "components/**/*.ts"],
    extends: [reactHooks.configs.flat.recommended],
  },
);
