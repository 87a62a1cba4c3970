import js from "@eslint/js";
import globals from "globals";

export default [
  { basePath: "..", ignores: ["**/vendor/**", "**/node_modules/**"] },
  {
    basePath: "..",
    files: ["**/*.js", "**/*.mjs"],
    ...js.configs.recommended,
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: true },
    rules: { ...js.configs.recommended.rules, eqeqeq: "error", "no-var": "error", "prefer-const": "error" },
  },
];
