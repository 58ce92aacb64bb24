import type { WidgetAction } from "../../api/messages/widgets.ts";

export interface Task {
  /** Its number among those that the same person added, and who that was. */
  readonly key: string;
  readonly text: string;
  readonly description: string;
  isDone: boolean;
}

/** Tasks that everyone who reads the message may add and tick off. */
export class TaskList {
  readonly kind = "tasks";
  title: string;
  readonly tasks: Task[] = [];
  readonly #added = new Map<number, number>();

  constructor(title = "", tasks: readonly { task: string; desc: string }[] = []) {
    this.title = title;
    for (const [at, { task, desc }] of tasks.entries()) this.#add(`${at},canned`, task, desc, false);
  }

  apply(senderId: number, action: WidgetAction): void {
    if (action.type === "new_task_list_title") this.title = action.title;
    else if (action.type === "new_task") {
      this.#added.set(senderId, Math.max(action.key, this.#added.get(senderId) ?? 0));
      this.#add(`${action.key},${senderId}`, action.task, action.desc, action.completed);
    } else if (action.type === "strike") {
      const task = this.tasks.find(({ key }) => key === action.key);
      if (task) task.isDone = !task.isDone;
    }
  }

  has(text: string): boolean {
    return this.tasks.some((task) => task.text === text);
  }

  nextIndex(senderId: number): number {
    return (this.#added.get(senderId) ?? 0) + 1;
  }

  /** Two people may add the same task at the same moment; the first one stands. */
  #add(key: string, text: string, description: string, isDone: boolean): void {
    const isKnown = this.has(text) || this.tasks.some((task) => task.key === key);
    if (!isKnown) this.tasks.push({ key, text, description, isDone });
  }
}
