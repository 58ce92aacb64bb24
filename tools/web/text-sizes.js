// Sizes of text follow the account's setting. The sheets say them in pixels, as they are for the usual
// setting. The build multiplies each by the property `--text` of web/styles/tokens.css. So no sheet can
// forget it.

/** As a plugin of PostCSS. */
export function textSizes() {
  return {
    postcssPlugin: "text-sizes",
    /** @param {{ prop: string, value: string }} declaration */
    Declaration(declaration) {
      const { prop, value } = declaration;
      if (prop !== "font" && prop !== "font-size" && prop !== "line-height") return;
      // What was written here is visited again.
      if (!value.includes("--text")) declaration.value = scaled(value);
    },
  };
}

/** @param {string} value */
function scaled(value) {
  return value.replace(/(?<![\w.-])(\d*\.?\d+)px\b/g, "calc($1px * var(--text))");
}
