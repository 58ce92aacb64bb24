// Solid makes elements from constant texts of the program by `innerHTML`, which the page's policy allows to
// named policies only. This gives Solid's own module one that nothing else can reach.
const FROM = "t.innerHTML = html";
const POLICY = `const templates = globalThis.trustedTypes?.createPolicy("templates", { createHTML: (text) => text });\n`;

/** @returns {import("vite").Plugin} */
export function trustedTemplates() {
  return {
    name: "trusted-templates",
    transform(code, id) {
      if (!/solid-js\/web\/dist\/\w+\.js$/.test(id.split("?")[0] ?? "")) return undefined;
      if (!code.includes(FROM)) throw new Error("Solid makes its templates in another way now.");
      return {
        code:
          POLICY + code.replaceAll(FROM, `${FROM.slice(0, -4)}templates ? templates.createHTML(html) : html`),
        map: null,
      };
    },
  };
}
