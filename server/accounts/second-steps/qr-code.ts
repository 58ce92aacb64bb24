import qrcode from "qrcode-generator";
import { type Html, html } from "../../platform/http/page.ts";

/** Free modules around the code, without which cameras don't find it. */
const MARGIN = 4;
const PIXELS_A_MODULE = 5;

/** A picture that an authenticator app reads, dark on light in every theme. */
export function qrCode(text: string): Html {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const size = count + 2 * MARGIN;
  let dark = "";
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (code.isDark(row, column)) dark += `M${column + MARGIN} ${row + MARGIN}h1v1h-1z`;
    }
  }
  const pixels = size * PIXELS_A_MODULE;
  return html`<svg role="img" aria-label="QR code for an authenticator app" width="${pixels}" height="${pixels}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/>
<path fill="#000" d="${dark}"/>
</svg>`;
}
