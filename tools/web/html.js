// What the client's HTML gets at its build: the chosen icons of web/ui/icons.json as one sprite, and the one
// inline script. That sets the theme and the look before anything is painted. It also reads the saved state
// and asks for the initial one while the program is still on its way.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { drawIcons } from "./install.js";

const icons = fileURLToPath(new URL("icons", import.meta.resolve("lucide-static/package.json")));

/** @param {string} root @returns {import("vite").Plugin} */
export function clientHtml(root) {
  return {
    name: "client-html",
    async transformIndexHtml(html, { bundle }) {
      const script = earlyScript(await registerForm(root));
      const touch = (await drawIcons()).find(({ purpose }) => purpose === "touch");
      const names = Object.keys(bundle ?? {})
        .sort()
        .join();
      const build = createHash("sha256").update(names).digest("base64url").slice(0, 12);
      return html
        .replace("<html ", () => `<html data-build="${build}" `)
        .replace("<!-- install -->", () => `<link rel="apple-touch-icon" href="/${touch?.file}">`)
        .replace("<!-- old -->", () => oldBrowser(path.join(root, "web")))
        .replace("<!-- early -->", () => `<script>${script}</script>`)
        .replace(
          "<!-- icons -->",
          () => `<svg width="0" height="0" aria-hidden="true">${sprite(path.join(root, "web"))}</svg>`,
        );
    },
  };
}

/**
 * One sentence in the browser's language, for browsers that can't run the program. Its script is written for
 * them. The page's element goes, so the program has nowhere to draw if it begins all the same.
 * @param {string} web
 */
function oldBrowser(web) {
  const texts = ["en", "de"].map((language) => {
    const catalogue = JSON.parse(fs.readFileSync(path.join(web, `i18n/${language}.json`), "utf8"));
    return `<p class="old" id="old-${language}" lang="${language}" hidden>${catalogue["app.oldBrowser"]}</p>`;
  });
  return `${texts.join("")}<script>(function(){var d=document,n=navigator,c=window.CSS;
if("noModule" in d.createElement("script")&&window.HTMLDialogElement&&"popover" in HTMLElement.prototype&&Array.prototype.at&&Object.hasOwn&&window.structuredClone&&c&&c.supports("color","oklch(0 0 0)")&&c.supports("selector(&)"))return;
d.getElementById((n.language||"").slice(0,2)==="de"?"old-de":"old-en").removeAttribute("hidden");
var a=d.getElementById("app");a.parentNode.removeChild(a)})()</script>`;
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
  return `{window.parleyRegister=fetch("/api/v1/register",{method:"POST",headers:{"X-Parley-Client":"ParleyWeb"},body:new URLSearchParams(${JSON.stringify(form)})});
window.parleyRegister.catch(()=>{});
const r=document.documentElement;let t;try{t=localStorage.getItem("parley.theme");
const l=JSON.parse(localStorage.getItem("parley.look")||"{}");
if(l.text)r.style.setProperty("--text",l.text);Object.assign(r.dataset,l.data);
if(localStorage.getItem("parley.saved"))window.parleySaved=new Promise((y,n)=>{const q=indexedDB.open("parley",1);
q.onupgradeneeded=()=>q.result.createObjectStore("state");q.onerror=()=>n(q.error);
q.onsuccess=()=>{const g=q.result.transaction("state").objectStore("state").get("last");q.result.close();
g.onsuccess=()=>y(g.result);g.onerror=()=>n(g.error)}});window.parleySaved?.catch(()=>{})}catch{}
r.dataset.theme=t==="dark"||t==="light"?t:matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"}`;
}
