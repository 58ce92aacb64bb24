/**
 * A chart as SVG that can be read on light and dark backgrounds: it has no background, and uses medium
 * colours.
 */

export interface Panel {
  title: string;
  /** The quantity on the horizontal axis, which is logarithmic. The vertical axis begins at 0. */
  across: string;
  lines: readonly Line[];
}

export interface Line {
  name: string;
  points: readonly Point[];
}

export interface Point {
  x: number;
  y: number;
}

const WIDTH = 420;
const HEIGHT = 300;
const PLOT = { left: 52, top: 44, right: 16, bottom: 76 };
const INK = "#7d8590";
const COLORS = ["#3b82f6", "#d97706", "#16a34a", "#a855f7"];

/** The panels side by side. */
export function drawChart(panels: readonly Panel[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * panels.length} ${HEIGHT}" `,
    `width="${WIDTH * panels.length}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">\n`,
    `<title>${panels.map(({ title }) => title).join("; ")}</title>\n`,
    ...panels.map(
      (panel, index) => `<g transform="translate(${index * WIDTH} 0)">\n${drawPanel(panel)}</g>\n`,
    ),
    "</svg>\n",
  ].join("");
}

function drawPanel({ title, across, lines }: Panel): string {
  const points = lines.flatMap((line) => line.points);
  const decades = {
    from: Math.floor(Math.log10(Math.min(...points.map(({ x }) => x))) + 0.05),
    to: Math.ceil(Math.log10(Math.max(...points.map(({ x }) => x))) - 0.05),
  };
  const step = roundStep(Math.max(...points.map(({ y }) => y)) / 5);
  const top = step * Math.ceil((Math.max(...points.map(({ y }) => y)) * 1.05) / step);
  const at: Scale = {
    x: (x) =>
      span(PLOT.left, WIDTH - PLOT.right, (Math.log10(x) - decades.from) / (decades.to - decades.from)),
    y: (y) => span(HEIGHT - PLOT.bottom, PLOT.top, y / top),
  };
  const axes = [
    ...count(decades.from, decades.to, 1).map((decade) =>
      verticalAt(at.x(10 ** decade), short(10 ** decade)),
    ),
    ...count(0, top, step).map((y) => horizontalAt(at.y(y), short(y))),
  ];
  return [
    text(PLOT.left, 22, title, 'font-size="14" font-weight="600"'),
    ...axes,
    text((PLOT.left + WIDTH - PLOT.right) / 2, HEIGHT - PLOT.bottom + 34, across, 'text-anchor="middle"'),
    ...lines.map((line, index) => drawLine(line, at, COLORS[index % COLORS.length] as string)),
    ...legend(lines),
  ].join("");
}

interface Scale {
  x(x: number): number;
  y(y: number): number;
}

function drawLine({ points }: Line, at: Scale, color: string): string {
  const places = points.map(({ x, y }) => `${round(at.x(x))},${round(at.y(y))}`);
  const dots = places.map((place) => {
    const [x, y] = place.split(",");
    return `<circle cx="${x}" cy="${y}" r="3.5" fill="${color}"/>`;
  });
  return `<polyline points="${places.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join("")}\n`;
}

function legend(lines: readonly Line[]): string[] {
  if (lines.length < 2) return [];
  const width = (WIDTH - PLOT.left) / lines.length;
  return lines.map(({ name }, index) => {
    const x = PLOT.left + index * width;
    const color = COLORS[index % COLORS.length];
    return `<circle cx="${round(x + 4)}" cy="${HEIGHT - 16}" r="4" fill="${color}"/>${text(x + 13, HEIGHT - 12, name)}`;
  });
}

function verticalAt(x: number, label: string): string {
  const bottom = HEIGHT - PLOT.bottom;
  return line(x, PLOT.top, x, bottom) + text(x, bottom + 16, label, 'text-anchor="middle"');
}

function horizontalAt(y: number, label: string): string {
  return line(PLOT.left, y, WIDTH - PLOT.right, y) + text(PLOT.left - 8, y + 4, label, 'text-anchor="end"');
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  const [a, b, c, d] = [x1, y1, x2, y2].map(round);
  return `<line x1="${a}" y1="${b}" x2="${c}" y2="${d}" stroke="${INK}" stroke-opacity="0.3"/>\n`;
}

function text(x: number, y: number, words: string, more = ""): string {
  const escaped = words.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return `<text x="${round(x)}" y="${round(y)}" ${more}>${escaped}</text>\n`;
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) as number) * power;
}

function count(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);
}

function span(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

function short(value: number): string {
  return value >= 1_000_000 ? `${value / 1_000_000} M` : Number(value.toPrecision(6)).toLocaleString("en");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
