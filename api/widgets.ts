import { type Static, Type } from "typebox";

const text = (description: string) => Type.String({ maxLength: 1000, description });

const closed = { additionalProperties: false };

const poll = Type.Object(
  {
    widget_type: Type.Literal("poll", { description: "A poll." }),
    extra_data: Type.Object(
      {
        question: text("What is asked."),
        options: Type.Array(text("An answer to choose."), {
          maxItems: 100,
          description: "The answers to begin with.",
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
        task_list_title: text("What the list is called."),
        tasks: Type.Array(
          Type.Object({ task: text("The task."), desc: text("More about it, or nothing.") }, closed),
          {
            maxItems: 100,
            description: "The tasks to begin with.",
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
        heading: text("What stands above them."),
        choices: Type.Array(
          Type.Object(
            {
              type: Type.Optional(
                Type.Literal("multiple_choice", { description: "The only kind of reply." }),
              ),
              short_name: text("What stands on the button."),
              long_name: text("What stands beside it."),
              reply: text("What is sent in the name of whoever presses it."),
            },
            closed,
          ),
          { maxItems: 100, description: "The replies." },
        ),
      },
      { ...closed, description: "The form." },
    ),
  },
  closed,
);

/** What a message that people can act on begins with; its first submessage holds it as JSON. */
export const widgetContent = Type.Union([poll, todo, form]);
export type WidgetContent = Static<typeof widgetContent>;

const key = text("The answer or task: who added it and its number among theirs, or `canned` and its number.");
const index = (description: string) => Type.Integer({ minimum: 0, maximum: 1000, description });

/** What people add to a poll. */
export const pollAction = Type.Union([
  Type.Object(
    {
      type: Type.Literal("vote", { description: "Chooses an answer, or no longer." }),
      key,
      vote: Type.Union([Type.Literal(1), Type.Literal(-1)], {
        description: "1 for yes, -1 to take it back.",
      }),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("new_option", { description: "Adds an answer." }),
      idx: index("Its number among those that this person added."),
      option: text("The answer."),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("question", { description: "Asks something else: for who sent the poll." }),
      question: text("What is asked."),
    },
    closed,
  ),
]);

/** What people add to a list of tasks. */
export const todoAction = Type.Union([
  Type.Object(
    {
      type: Type.Literal("new_task", { description: "Adds a task." }),
      key: index("Its number among those that this person added."),
      task: text("The task."),
      desc: text("More about it, or nothing."),
      completed: Type.Boolean({ description: "Whether it is done." }),
    },
    closed,
  ),
  Type.Object(
    { type: Type.Literal("strike", { description: "Ticks a task off, or no longer." }), key },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("new_task_list_title", { description: "Names the list: for who sent it." }),
      title: text("What the list is called."),
    },
    closed,
  ),
]);

export type WidgetAction = Static<typeof pollAction> | Static<typeof todoAction>;
