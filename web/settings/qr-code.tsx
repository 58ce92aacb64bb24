import qrcode from "qrcode-generator";
import { t } from "../i18n/t.ts";

/** Free modules around the code, without which cameras don't find it. */
const MARGIN = 4;
const PIXELS_A_MODULE = 4;

/** Dark on light in every theme, as cameras expect it. */
export function QrCode(props: { text: string }) {
  const shape = () => {
    const code = qrcode(0, "M");
    code.addData(props.text);
    code.make();
    const count = code.getModuleCount();
    let dark = "";
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < count; column++) {
        if (code.isDark(row, column)) dark += `M${column + MARGIN} ${row + MARGIN}h1v1h-1z`;
      }
    }
    return { dark, size: count + 2 * MARGIN };
  };
  const { dark, size } = shape();
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={t("own.security.qrCode")}
      width={size * PIXELS_A_MODULE}
      height={size * PIXELS_A_MODULE}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="dark" d={dark} />
    </svg>
  );
}
