/**
 * A strict parser of Prometheus' text format, version 0.0.4. It refuses what Prometheus might only tolerate.
 */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

export class Exposition {
  readonly families: ReadonlyMap<string, Family>;

  constructor(text: string) {
    this.families = parse(text);
  }

  /** The value of the one sample with this name and exactly these labels. */
  value(name: string, labels: Record<string, string> = {}): number | undefined {
    const wanted = seriesOf({ name, labels });
    return [...this.families.values()]
      .flatMap(({ samples }) => samples)
      .find((sample) => seriesOf(sample) === wanted)?.value;
  }
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const VALUE = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|Nan|NaN)$/i;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const SUFFIXES: Record<string, string[]> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
};

function parse(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the text does not end with a line's end");
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let current = "";
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === "HELP") {
      if (!NAME.test(name) || families.has(name)) throw new Error(`a bad or second family: ${line}`);
      families.set(name, { type: "", help: rest, samples: [] });
      current = name;
    } else if (keyword === "TYPE") {
      const family = families.get(name);
      if (!family || name !== current || family.type || !(rest in SUFFIXES))
        throw new Error(`a bad type: ${line}`);
      family.type = rest;
    } else {
      const sample = parseSample(line);
      const family = families.get(current);
      if (!SUFFIXES[family?.type ?? ""]?.some((suffix) => sample.name === current + suffix))
        throw new Error(`a sample outside its family: ${line}`);
      if (series.has(seriesOf(sample))) throw new Error(`a series twice: ${line}`);
      series.add(seriesOf(sample));
      family?.samples.push(sample);
    }
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name = "", , inner = "", value = ""] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (!NAME.test(name) || !VALUE.test(value)) throw new Error(`a bad line: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < inner.length) {
    const [, label = "", text = ""] = LABEL.exec(inner) ?? [];
    if (label === "" || label in labels) throw new Error(`bad labels: ${line}`);
    labels[label] = text;
  }
  return { name, labels, value: value === "+Inf" ? Infinity : Number(value) };
}

function checkFamily(name: string, { type, samples }: Family): void {
  if (type === "") throw new Error(`${name} has no type`);
  if (type === "counter" && samples.some(({ value }) => !(value >= 0)))
    throw new Error(`the counter ${name} is negative`);
  if (type !== "histogram") return;
  const buckets = new Map<string, Sample[]>();
  for (const sample of samples.filter((each) => each.name === `${name}_bucket`)) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    buckets.set(key, [...(buckets.get(key) ?? []), sample]);
  }
  for (const [key, ofOne] of buckets) {
    const values = ofOne.map(({ value }) => value);
    if (values.some((value, index) => value < (values[index - 1] ?? 0)))
      throw new Error(`${name} is not cumulative`);
    const count = samples.find(
      (each) => each.name === `${name}_count` && JSON.stringify(each.labels) === key,
    );
    if (ofOne.at(-1)?.labels.le !== "+Inf" || ofOne.at(-1)?.value !== count?.value)
      throw new Error(`${name} does not end with the bucket for all`);
  }
}

function seriesOf({ name, labels }: Pick<Sample, "name" | "labels">): string {
  return JSON.stringify([name, Object.entries(labels).sort()]);
}
