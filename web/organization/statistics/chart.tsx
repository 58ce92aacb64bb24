/** Bars in a picture, with the same figures in a table. */
import { createUniqueId, For, Show } from "solid-js";
import { t } from "../../i18n/t.ts";

export interface Series {
  name: string;
  /** In the order of the buckets. null: nobody noted it. */
  values: readonly (number | null)[];
}

interface ChartProps {
  title: string;
  /** The names of the bars, for the axis and the table. */
  labels: readonly string[];
  /** They stand on each other. At most three. */
  series: readonly Series[];
  write(value: number): string;
}

const WIDTH = 600;
const HEIGHT = 140;
/** Which share of the room of a bar stays empty. */
const GAP = 0.25;
/** So that a small figure is seen. */
const MIN_HEIGHT = 2;

export function Chart(props: ChartProps) {
  const id = createUniqueId();
  const totals = () => props.labels.map((_, index) => totalAt(props.series, index));
  const known = () => totals().filter((total) => total !== null);
  const largest = () => Math.max(0, ...known());
  const about = () => {
    if (known().length === 0) return t("statistics.unknown");
    return t("statistics.chartAbout", {
      from: props.labels[0] ?? "",
      to: props.labels.at(-1) ?? "",
      largest: props.write(largest()),
      last: props.write(known().at(-1) ?? 0),
    });
  };
  return (
    <section class="statistic" aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{props.title}</h3>
      <Show when={props.series.length > 1}>
        <ul class="statistic-legend">
          <For each={props.series}>
            {(one, index) => (
              <li>
                <span class="statistic-key" data-series={index()} aria-hidden="true" />
                {one.name}
              </li>
            )}
          </For>
        </ul>
      </Show>
      <div class="statistic-frame">
        <span class="statistic-largest" aria-hidden="true">
          {props.write(largest())}
        </span>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-about`}
        >
          <title id={`${id}-title`}>{props.title}</title>
          <desc id={`${id}-about`}>{about()}</desc>
          <For each={barsOf(props.series, props.labels.length, largest())}>
            {(bar) => (
              <rect x={bar.x} y={bar.y} width={bar.width} height={bar.height} data-series={bar.series} />
            )}
          </For>
          <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        </svg>
        <p class="statistic-ends" aria-hidden="true">
          <span>{props.labels[0]}</span>
          <span>{props.labels.at(-1)}</span>
        </p>
      </div>
      <p class="hint">{about()}</p>
      <details>
        <summary>
          {t("statistics.table")}
          <span class="sr">: {props.title}</span>
        </summary>
        <Table {...props} />
      </details>
    </section>
  );
}

function Table(props: ChartProps) {
  const write = (value: number | null | undefined) =>
    value === null || value === undefined ? t("statistics.nobodyNoted") : props.write(value);
  return (
    // A table that scrolls can be scrolled by keys only if it takes the focus.
    <section class="statistic-table" tabindex="0" aria-label={`${t("statistics.table")}: ${props.title}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("statistics.time")}</th>
            <For each={props.series}>{(one) => <th scope="col">{one.name}</th>}</For>
          </tr>
        </thead>
        <tbody>
          <For each={props.labels}>
            {(label, index) => (
              <tr>
                <th scope="row">{label}</th>
                <For each={props.series}>{(one) => <td>{write(one.values[index()])}</td>}</For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  );
}

/** null: nobody noted one of them. */
function totalAt(series: readonly Series[], index: number): number | null {
  let total: number | null = null;
  for (const { values } of series) {
    const value = values[index];
    if (value !== null && value !== undefined) total = (total ?? 0) + value;
  }
  return total;
}

function barsOf(series: readonly Series[], count: number, largest: number) {
  const room = WIDTH / Math.max(1, count);
  return Array.from({ length: largest === 0 ? 0 : count }, (_, index) => {
    let top = HEIGHT;
    return series.flatMap(({ values }, of) => {
      const value = values[index] ?? 0;
      if (value === 0) return [];
      const height = Math.max(MIN_HEIGHT, (value / largest) * (HEIGHT - MIN_HEIGHT * series.length));
      top -= height;
      return [{ x: (index + GAP / 2) * room, y: top, width: room * (1 - GAP), height, series: of }];
    });
  }).flat();
}
