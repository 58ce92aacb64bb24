import { type Profiler, Session } from "node:inspector/promises";

export interface Costs {
  /** By function, without the functions it calls. */
  functions: Cost[];
  /** By module or package, including Node's work for it. */
  modules: Cost[];
}

export type Cost = { what: string; "% of the time": number };

const INTERVAL_MICROSECONDS = 250;
const SHOWN = 30;

/** Where the time of this process goes, by samples. */
export class Profile {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.setSamplingInterval", { interval: INTERVAL_MICROSECONDS });
    await this.#session.post("Profiler.start");
  }

  async stop(): Promise<Costs> {
    const { profile } = await this.#session.post("Profiler.stop");
    this.#session.disconnect();
    return {
      functions: costs(profile, (line) => nameOf(line[0] as Frame)),
      modules: costs(profile, moduleOf),
    };
  }
}

type Frame = Profiler.ProfileNode["callFrame"];

/** `name` gets the frame of a sample and those that called it, innermost first. */
function costs({ nodes }: Profiler.Profile, name: (line: readonly Frame[]) => string): Cost[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const samples = new Map<string, number>();
  let all = 0;
  for (const { id, hitCount = 0 } of nodes) {
    const line: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      line.push((byId.get(at) as Profiler.ProfileNode).callFrame);
    }
    const what = name(line);
    samples.set(what, (samples.get(what) ?? 0) + hitCount);
    all += hitCount;
  }
  return [...samples]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([what, count]) => ({ what, "% of the time": (100 * count) / all }));
}

function nameOf({ functionName, url, lineNumber }: Frame): string {
  return `${functionName || "(anonymous)"}${url && ` ${fileOf(url)}:${lineNumber + 1}`}`;
}

/** The innermost frame in this project or a package; else Node itself. */
function moduleOf(line: readonly Frame[]): string {
  const owner = line.find(({ url }) => url.startsWith("file:") || url.startsWith("/"));
  if (owner) return fileOf(owner.url).split("/").slice(0, 2).join("/").replace(/\.js$/, "");
  const [{ functionName = "" } = {}] = line;
  return functionName.startsWith("(") ? functionName : "node alone";
}

function fileOf(url: string): string {
  return url.replace(/^.*\/(dist|node_modules)\//, "");
}
