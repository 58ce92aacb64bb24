import { createSignal, type JSX } from "solid-js";
import { problemOf } from "../shared/state/problem-of.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Problem } from "../ui/problem.tsx";

interface RowProps {
  about: JSX.Element;
  /** Buttons before the one that deletes. */
  tools?: JSX.Element;
  deleteLabel: string;
  delete(): Promise<unknown>;
  children: JSX.Element;
}

/** One of what is to come: its moment, its text and what can be done with it. */
export function LaterRow(props: RowProps) {
  const [problem, setProblem] = createSignal<string>();
  const remove = async () => void setProblem(await problemOf(() => props.delete()));
  return (
    <li class="later-row">
      <div class="later-about">{props.about}</div>
      {props.children}
      <Problem text={problem()} />
      <div class="later-tools">
        {props.tools}
        <LaterTool icon="trash" label={props.deleteLabel} run={() => void remove()} />
      </div>
    </li>
  );
}

export function LaterTool(props: { icon: IconName; label: string; opensDialog?: boolean; run(): void }) {
  return (
    <button
      type="button"
      class="square"
      aria-label={props.label}
      title={props.label}
      aria-haspopup={props.opensDialog ? "dialog" : undefined}
      onClick={() => props.run()}
    >
      <Icon name={props.icon} />
    </button>
  );
}
