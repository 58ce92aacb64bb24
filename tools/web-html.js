// What the client's HTML gets at its build: the chosen icons of web/ui/icons.json as one sprite, and the one
// inline script. That sets the theme before anything is painted, and asks for the initial state while the
// program is still on its way.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const icons = fileURLToPath(new URL("icons", import.meta.resolve("lucide-static/package.json")));

/** @param {string} root @returns {import("vite").Plugin} */
export function clientHtml(root) {
  return {
    name: "client-html",
    async transformIndexHtml(html) {
      const script = earlyScript(await registerForm(root));
      return html
        .replace("<!-- early -->", () => `<script>${script}</script>`)
        .replace(
          "<!-- icons -->",
          () => `<svg width="0" height="0" aria-hidden="true">${sprite(path.join(root, "web"))}</svg>`,
        );
    },
  };
}

/** @param {string} web */
function sprite(web) {
  /** @type {Record<string, string>} */
  const chosen = JSON.parse(fs.readFileSync(path.join(web, "ui/icons.json"), "utf8"));
  return Object.entries(chosen)
    .map(([name, file]) => {
      const text = fs.readFileSync(path.join(icons, `${file}.svg`), "utf8");
      const shape = text.slice(text.indexOf(">", text.indexOf("<svg")) + 1, text.lastIndexOf("</svg>"));
      return `<symbol id="icon-${name}" viewBox="0 0 24 24">${shape.replace(/\s*\n\s*/g, "")}</symbol>`;
    })
    .join("");
}

/** The parameters of `client/live-state.ts`, as the form that its call sends. @param {string} root */
async function registerForm(root) {
  const file = pathToFileURL(path.join(root, "dist/client/live-state.js")).href;
  /** @type {{ registerParameters: Record<string, unknown> }} */
  const { registerParameters } = await import(file);
  const fields = Object.entries(registerParameters).map(([name, value]) => [name, JSON.stringify(value)]);
  return new URLSearchParams(fields).toString();
}

/** @param {string} form */
function earlyScript(form) {
  return `{let t;try{t=localStorage.getItem("parley.theme")}catch{}
document.documentElement.dataset.theme=t==="dark"||t==="light"?t:matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";
window.parleyRegister=fetch("/api/v1/register",{method:"POST",headers:{"X-Parley-Client":"ParleyWeb"},body:new URLSearchParams(${JSON.stringify(form)})});
window.parleyRegister.catch(()=>{})}`;
}
