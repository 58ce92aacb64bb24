// How the browser's client is built. tools/build-web.js runs it, and puts the files into dist/web.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { wholeCatalogues } from "./tools/web/catalogues.js";
import { plainContract } from "./tools/web/contract.js";
import { clientHtml } from "./tools/web/html.js";
import { textSizes } from "./tools/web/text-sizes.js";
import { trustedTemplates } from "./tools/web/trusted-templates.js";

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL("web", import.meta.url)),
  plugins: [wholeCatalogues(), plainContract(root), trustedTemplates(), clientHtml(root), solid()],
  css: { postcss: { plugins: [textSizes()] } },
  build: {
    target: "es2022",
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    // A font or a picture inside of a style sheet would need `data:` in the policy.
    assetsInlineLimit: 0,
    // One file for the first screen. Several would wait for each other, and for the call to `/register`.
    // One for the declarations that only later parts name: else each would be a file, or lie in the first.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"], priority: 1 },
            { name: "declarations", test: /\?part=/ },
          ],
        },
      },
    },
  },
});
