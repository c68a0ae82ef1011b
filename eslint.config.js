// What the scripts of app/canvas are held to; scripts/check runs it.

import js from "@eslint/js";
import globals from "globals";

const MARKUP = "Text from sentences is no markup: use textContent, append or the makers of elements.js.";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    rules: {
      "eqeqeq": "error",
      "max-len": ["error", { code: 115 }],
      "no-var": "error",
      "one-var": ["error", "never"],
      "prefer-const": "error",
      "no-implicit-globals": "error",
      "no-shadow": ["error", { builtinGlobals: false, hoist: "functions" }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-properties": ["error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property, message: MARKUP })),
        { object: "document", property: "write", message: MARKUP },
      ],
    },
  },
  { files: ["app/canvas/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/**/*.mjs", "eslint.config.js"], languageOptions: { globals: globals.node } },
];
