/** From the settings of an account to what the style sheets read. */

export type Density = "compact" | "usual" | "comfortable";

/** The account's default size and line height are this client's usual ones. */
const USUAL_FONT_PX = 14;
/** In per cent of the font size, as the API has it. A value between two of them counts as the nearer one. */
export const lineHeights = { compact: 104, usual: 122, comfortable: 140 } as const;

/** What the root element gets: the factor of all sizes of text, and attributes. */
export interface Look {
  text: number;
  data: { density?: Density; contrast?: "more"; width?: "full" };
}

interface LookSettings {
  fontSizePx: number;
  lineHeightPercent: number;
  hasMoreContrast: boolean;
  isFullWidth: boolean;
}

export function densityOf(lineHeightPercent: number): Density {
  const distance = (one: Density) => Math.abs(lineHeights[one] - lineHeightPercent);
  return (["usual", "compact", "comfortable"] as const).reduce((best, density) =>
    distance(density) < distance(best) ? density : best,
  );
}

export function lookOf({ fontSizePx, lineHeightPercent, hasMoreContrast, isFullWidth }: LookSettings): Look {
  const density = densityOf(lineHeightPercent);
  return {
    text: Math.round((fontSizePx / USUAL_FONT_PX) * 1000) / 1000,
    data: {
      ...(density !== "usual" && { density }),
      ...(hasMoreContrast && { contrast: "more" }),
      ...(isFullWidth && { width: "full" }),
    },
  };
}
