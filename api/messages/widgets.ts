import { type Static, Type } from "typebox";
import { MAX_WIDGET_ENTRIES, MAX_WIDGET_TEXT_LENGTH } from "../limits.ts";

const text = (description: string) => Type.String({ maxLength: MAX_WIDGET_TEXT_LENGTH, description });

const closed = { additionalProperties: false };

const poll = Type.Object(
  {
    widget_type: Type.Literal("poll", { description: "A poll." }),
    extra_data: Type.Object(
      {
        question: text("The question."),
        options: Type.Array(text("An answer to choose."), {
          maxItems: MAX_WIDGET_ENTRIES,
          description: "The initial answers.",
        }),
      },
      { ...closed, description: "The poll." },
    ),
  },
  closed,
);

const todo = Type.Object(
  {
    widget_type: Type.Literal("todo", { description: "A list of tasks." }),
    extra_data: Type.Object(
      {
        task_list_title: text("The list's title."),
        tasks: Type.Array(
          Type.Object({ task: text("The task."), desc: text("More about it, or nothing.") }, closed),
          {
            maxItems: MAX_WIDGET_ENTRIES,
            description: "The initial tasks.",
          },
        ),
      },
      { ...closed, description: "The list." },
    ),
  },
  closed,
);

const form = Type.Object(
  {
    widget_type: Type.Literal("zform", { description: "Ready-made replies, as buttons." }),
    extra_data: Type.Object(
      {
        type: Type.Literal("choices", { description: "The only kind of form." }),
        heading: text("The heading above the buttons."),
        choices: Type.Array(
          Type.Object(
            {
              type: Type.Optional(
                Type.Literal("multiple_choice", { description: "The only kind of reply." }),
              ),
              short_name: text("The button's label."),
              long_name: text("The text beside the button."),
              reply: text("The message that the person who presses the button sends."),
            },
            closed,
          ),
          { maxItems: MAX_WIDGET_ENTRIES, description: "The replies." },
        ),
      },
      { ...closed, description: "The form." },
    ),
  },
  closed,
);

/** The initial content of an interactive message; its first submessage holds it as JSON. */
export const widgetContent = Type.Union([poll, todo, form]);
export type WidgetContent = Static<typeof widgetContent>;

const key = text("The answer or task: who added it and its number among theirs, or `canned` and its number.");
const index = (description: string) => Type.Integer({ minimum: 0, maximum: 1000, description });

/** What people add to a poll. */
export const pollAction = Type.Union([
  Type.Object(
    {
      type: Type.Literal("vote", { description: "Votes for an answer, or withdraws the vote." }),
      key,
      vote: Type.Union([Type.Literal(1), Type.Literal(-1)], {
        description: "1 to vote, -1 to withdraw the vote.",
      }),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("new_option", { description: "Adds an answer." }),
      idx: index("Its number among the entries that this person added."),
      option: text("The answer."),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("question", {
        description: "Changes the question; only for the sender of the poll.",
      }),
      question: text("The question."),
    },
    closed,
  ),
]);

/** What people add to a list of tasks. */
export const todoAction = Type.Union([
  Type.Object(
    {
      type: Type.Literal("new_task", { description: "Adds a task." }),
      key: index("Its number among the entries that this person added."),
      task: text("The task."),
      desc: text("More about it, or nothing."),
      completed: Type.Boolean({ description: "Whether it is done." }),
    },
    closed,
  ),
  Type.Object(
    { type: Type.Literal("strike", { description: "Ticks a task off, or clears the tick." }), key },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("new_task_list_title", { description: "Renames the list; only for its sender." }),
      title: text("The list's title."),
    },
    closed,
  ),
]);

export type WidgetAction = Static<typeof pollAction> | Static<typeof todoAction>;
